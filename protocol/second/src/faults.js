/** Owns the five words for wrong input (SPEC: Conventions); knows nothing of what can be wrong. */

export class Fault extends Error {
  /** @param {'malformed'|'unexpected'|'unsupported'|'cheating'|'desync'} kind */
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

export const malformed = (message) => new Fault('malformed', message);
export const unexpected = (message) => new Fault('unexpected', message);
export const unsupported = (message) => new Fault('unsupported', message);
export const cheating = (message) => new Fault('cheating', message);
export const desync = (message) => new Fault('desync', message);

/** Throws `fault` unless `condition` holds. */
export function demand(condition, fault, message) {
  if (!condition) throw fault(message);
}
