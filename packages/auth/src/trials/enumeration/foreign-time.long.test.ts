import { eq } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { startTestAuth } from '../../testing.ts'
import { timesOf, toldBy, worstOf } from './measure.ts'
import { accountsInEachState, imported, nobody } from './test-accounts.ts'
import { everyProbe } from './test-probes.ts'

// As in production: with the four rounds of other tests, a hash is not much more than a step of what makes up for one.
const auth = await startTestAuth({ env: { SVC_AUTH_BCRYPT_SALT_ROUNDS: '12' } })
afterAll(() => auth.stop())
const every = await accountsInEachState(auth, 4)

// Five standard errors, as in time.test.ts.
const [samples, most] = [200, 0.65]

const hashes = {
  'PBKDF2 of little work': `pbkdf2_sha256$5000$salt$${'A'.repeat(43)}=`,
  'PBKDF2 of half the work': `pbkdf2_sha256$300000$salt$${'A'.repeat(43)}=`,
  'scrypt of better-auth': `${'a'.repeat(32)}:${'a'.repeat(128)}`,
}

it.each(Object.entries(hashes))(
  'the time of a wrong password tells no imported one from no account: %s',
  async (name, passwordHash) => {
    const emails = every[imported] ?? []
    for (const email of emails) {
      await auth.auth.db.update(users).set({ passwordHash }).where(eq(users.email, email))
    }
    const probe = everyProbe['login, a wrong password']
    if (!probe) throw new Error('It has another name.')
    const accounts = { [nobody]: every[nobody] ?? [], [imported]: emails }
    const told = toldBy(await timesOf(probe, { url: auth.url, accounts, samples }))
    process.stdout.write(`| ${name} | ${JSON.stringify(told[0])} |\n`)
    expect(worstOf(told), JSON.stringify(told)).toBeLessThanOrEqual(most)
  },
)
