import { argon2, hasArgon2id } from '../argon2id.ts'
import type { Argon2Cost } from '../stored-hash.ts'
import { fromBase64 } from './base64.ts'
import { type ForeignScheme, isUsualDigest } from './foreign-hash.ts'

// Django writes "argon2" before the PHC string.
const form = /^(?:argon2)?\$(argon2(?:id|i|d))\$/
const rest = /^v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

const mostMemory = 256 * 1024
/** KiB times passes: about two seconds. */
const mostWork = 2 ** 21

/** PHC strings of version 1.3, the one that Node has; Keycloak's, written as such. */
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
    if (!isValid(cost)) return 'hash_malformed'
    if (cost.memory > mostMemory || cost.memory * cost.passes > mostWork) return 'hash_too_costly'
    if (!hasArgon2id) return 'hash_needs_newer_node'
    const input = { ...cost, nonce, tagLength: digest.length }
    return { digest, derive: (message) => argon2(kind as 'argon2id', { ...input, message }) }
  },
}

/** RFC 9106, 3.1: at least 8 KiB for each lane. */
function isValid({ memory, passes, parallelism }: Argon2Cost) {
  return passes >= 1 && parallelism >= 1 && memory >= 8 * parallelism
}
