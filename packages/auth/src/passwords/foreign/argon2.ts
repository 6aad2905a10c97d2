import { type Argon2Kind, argon2, argon2Problem } from '../argon2.ts'
import { fromBase64 } from '../stored-hash.ts'
import { type ForeignScheme, isUsualDigest } from './foreign-hash.ts'

// Django writes "argon2" before the PHC string.
const form = /^(?:argon2)?\$(argon2(?:id|i|d))\$/
const rest = /^v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** PHC strings of version 1.3, which Node supports; Keycloak's, converted to that form. */
export const argon2Scheme: ForeignScheme = {
  name: 'argon2',
  recognises: (stored) => form.test(stored),
  read(stored) {
    const [start = '', kind] = form.exec(stored) ?? []
    const [, memory, passes, parallelism, salt = '', tag = ''] =
      rest.exec(stored.slice(start.length)) ?? []
    const cost = {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    }
    const nonce = fromBase64(salt)
    const digest = fromBase64(tag)
    if (!nonce || !digest || nonce.length < 8 || !isUsualDigest(digest)) return 'hash_malformed'
    const input = { ...cost, nonce, tagLength: digest.length }
    const derive = (message: string) =>
      argon2(kind as Argon2Kind /* One of the three that the form has. */, { ...input, message })
    return argon2Problem(cost) ?? { digest, derive }
  },
}
