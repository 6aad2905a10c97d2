import type { ForeignScheme } from './foreign-hash.ts'
import { scrypt } from './scrypt-cost.ts'

const form = /^([0-9a-f]{32}):([0-9a-f]*)$/i
const cost = { blocks: 16_384, blockSize: 16, lanes: 1, length: 64 }

/** The salt goes in as the text that it is written in, and the password in NFKC. */
export const betterAuthScheme: ForeignScheme = {
  name: 'better-auth',
  recognises: (stored) => form.test(stored),
  read(stored) {
    const [, salt = '', key = ''] = form.exec(stored) ?? []
    const digest = Buffer.from(key, 'hex')
    if (key.length !== 2 * cost.length) return 'hash_malformed'
    const input = { ...cost, salt: Buffer.from(salt) }
    return { digest, derive: (password) => scrypt(password.normalize('NFKC'), input) }
  },
}
