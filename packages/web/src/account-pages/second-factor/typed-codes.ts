import type { Say } from '../words/say.ts'
/** How a second step is typed in. */
export type Way = 'code' | 'recoveryCode'

/** What was typed in, as the API takes it, or what is wrong with it. */
export function typedProof(say: Say, way: Way, typed: string) {
  if (way === 'code') {
    const code = authenticatorCode(typed)
    return code ? { proof: { code }, problem: '' } : { proof: null, problem: say(noCode) }
  }
  const code = recoveryCode(typed)
  return code
    ? { proof: { recoveryCode: code }, problem: '' }
    : { proof: null, problem: say(noRecovery) }
}

/** What is said of something else than the digits of an authenticator app. */
export const noCode = 'A code has six digits.'
const noRecovery = 'A recovery code has ten letters and digits.'

/** Six digits, as they may have been typed or pasted; null where it is something else. */
export function authenticatorCode(typed: string) {
  const code = typed.replace(/[\s-]/g, '')
  return /^\d{6}$/.test(code) ? code : null
}

/** `xxxxx-xxxxx`, as it may have been typed or pasted; null where it is something else. */
function recoveryCode(typed: string) {
  const code = typed.replace(/[\s\p{Pd}]/gu, '').toLowerCase()
  return /^[a-z0-9]{10}$/.test(code) ? `${code.slice(0, 5)}-${code.slice(5)}` : null
}

/** A secret in groups of four, as it can be read and typed. */
export function inGroups(secret: string) {
  return secret.replace(/.{4}(?=.)/g, '$& ')
}
