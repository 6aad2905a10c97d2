import type { Variable } from '@svc/core/env'

/** What examples say in the place of a secret. */
const placeholder = /change[-_ ]?me|replace[-_ ]?(?:me|this|with)|example|your[-_ ]/i

/** What is too weak to encrypt sessions with, or `null`. Whoever has one cookie can try secrets on it for ever. */
function secretProblem(secret: string) {
  const characters = Array.from(secret)
  if (placeholder.test(secret)) return 'must not be an example'
  if (characters.length < 32) return 'must have at least 32 characters'
  if (new Set(characters).size < 16) return 'must have at least 16 different characters'
  if (entropyOf(characters) < 3.5) return 'must have its characters spread more evenly'
  return null
}

/** Shannon's, in bits a character. */
function entropyOf(characters: readonly string[]) {
  const counts = new Map<string, number>()
  for (const each of characters) counts.set(each, (counts.get(each) ?? 0) + 1)
  return [...counts.values()]
    .map((count) => count / characters.length)
    .reduce((bits, share) => bits - share * Math.log2(share), 0)
}

const remedy = 'openssl rand -base64 32 makes one'

export const sessionSecret: Variable<string> = (given) => {
  if (given === undefined) return { problem: `is required; ${remedy}` }
  const problem = secretProblem(given)
  return problem === null ? { value: given } : { problem: `${problem}; ${remedy}` }
}

/** Secrets that were in use before, separated by commas. They still open what they have sealed. */
export const previousSecrets: Variable<readonly string[]> = (given) => {
  const secrets = given?.split(',').map((each) => each.trim()) ?? []
  const problem = secrets.map(secretProblem).find((each) => each !== null)
  return problem === undefined ? { value: secrets } : { problem: `${problem}, each of them` }
}
