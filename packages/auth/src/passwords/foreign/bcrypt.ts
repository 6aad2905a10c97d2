import { createHash } from 'node:crypto'
import bcrypt from 'bcrypt'
import type { ForeignScheme } from './foreign-hash.ts'

// Django writes a prefix before bcrypt's own text.
const form = /^(?:(bcrypt|bcrypt_sha256)\$)?\$2[abxy]\$/
const exact = /^\$2[aby](\$(\d\d)\$[./A-Za-z0-9]{53})$/

/** At 16 rounds a hash takes four seconds. */
const mostRounds = 16

/** Supabase, Laravel, Auth.js and most others. Django's are of the password, or of its SHA-256. */
export const bcryptScheme: ForeignScheme = {
  name: 'bcrypt',
  recognises: (stored) => form.test(stored),
  read(stored) {
    const [, prefix] = form.exec(stored) ?? []
    const text = stored.slice(prefix ? prefix.length + 1 : 0)
    const [, rest, rounds] = exact.exec(text) ?? []
    if (!rest || Number(rounds) < 4) return 'hash_malformed'
    if (Number(rounds) > mostRounds) return 'hash_too_costly'
    // The letter names an implementation: $2y$ is PHP's $2b$, and $2a$ differs only beyond 254
    // bytes.
    const digest = Buffer.from(`$2b${rest}`)
    const salt = digest.toString('latin1', 0, 29)
    const secretOf = prefix === 'bcrypt_sha256' ? sha256 : (password: string) => password
    return { digest, derive: (password) => Buffer.from(bcrypt.hashSync(secretOf(password), salt)) }
  },
}

function sha256(password: string) {
  return createHash('sha256').update(password).digest('hex')
}
