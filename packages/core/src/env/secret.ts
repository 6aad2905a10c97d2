import type { Variable } from './define-env.ts'

/** What examples say in the place of a secret. */
const placeholder = /change[-_ ]?me|replace[-_ ]?(?:me|this|with)|example|your[-_ ]/i

/** What is too weak for whoever can try secrets for as long as they like, or `null`. */
export function secretProblem(secret: string) {
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

const remedy = 'openssl rand -hex 32 makes one'

/** RFC 6750, 2.1: what may stand behind `Bearer`. */
const bearer = /^[\w.~+/-]+=*$/

/** A secret that is shown as a bearer token; what it opens is off without it. */
export const bearerSecret: Variable<string | undefined> = (given) => {
  if (given === undefined) return { value: undefined }
  const unsendable = bearer.test(given) ? null : 'must be of letters, digits and - . _ ~ + / ='
  const problem = unsendable ?? secretProblem(given)
  return problem === null ? { value: given } : { problem: `${problem}; ${remedy}` }
}
