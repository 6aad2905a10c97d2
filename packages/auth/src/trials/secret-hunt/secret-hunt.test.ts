import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { loginEvent } from '../../events.ts'
import { done } from '../../test-answers.ts'
import { createTestKey } from '../../testing.ts'
import { dumpRows, dumpTables } from '../attacks/dump-tables.ts'
import { type Application, missing, startApplication } from './application.ts'
import { attack, findsIn, oneOfEach, shutToTheirOwn } from './attack.ts'
import { dump, type Place } from './dump.ts'
import { isFor, issuingOperations } from './issuing-operations.ts'
import { ask } from './redis-dump.ts'
import { runScenario, type Scenario } from './scenario.ts'
import { foundIn } from './spellings.ts'

const places: readonly Place[] = [
  'tables',
  'redis',
  'commands to Redis',
  'log',
  'events',
  'documents',
  'refusals',
]

describe.skipIf(missing)(`what opens something${missing}`, () => {
  let app: Application
  let scenario: Scenario
  let left: Awaited<ReturnType<typeof dump>>
  beforeAll(async () => {
    app = await startApplication()
    scenario = await runScenario(app)
    left = await dump(app, scenario)
  }, 180_000)
  afterAll(() => app?.stop())

  it('was given out by every operation that may give something out', () => {
    const { exchanges } = scenario
    const operations = issuingOperations()
    expect(operations.length).toBeGreaterThan(45)
    const uncalled = operations.filter(
      (operation) => !exchanges.some((each) => each.status < 400 && isFor(operation)(each)),
    )
    expect(uncalled.map(({ name }) => name)).toEqual([])
  })

  it('was really used here, and refused', () => {
    const { secrets, requestTokens, exchanges } = scenario
    expect(secrets.size).toBeGreaterThan(300)
    expect(requestTokens.size).toBeGreaterThan(40)
    expect(exchanges.filter(({ status }) => status >= 400).length).toBeGreaterThan(25)
    expect(left.refusals).toMatch(/^\[500,/m)
  })

  it.each(places)('is not in what is left in: %s', (place) => {
    expect(left[place].length).toBeGreaterThan(10_000)
    expect(foundIn(left[place], scenario.secrets)).toEqual([])
  })

  it('is left as a spent request in the audit trail, and nowhere else', async () => {
    const { requestTokens } = scenario
    const rows = await dumpRows(app.auth.db)
    const isTrail = (row: object) => 'svc_auth.audit_events' in row
    expect(foundIn(JSON.stringify(rows.filter(isTrail)), requestTokens).length).toBeGreaterThan(5)
    const others = rows.filter((row) => !isTrail(row))
    expect(foundIn(JSON.stringify(others), requestTokens)).toEqual([])
    for (const place of places.filter((each) => each !== 'tables')) {
      expect({ [place]: foundIn(left[place], requestTokens) }).toEqual({ [place]: [] })
    }
  })

  it('is left as the code that a user reads from a screen, which only an account looks up', async () => {
    const { user } = scenario.victim
    const { userCode } = await done(
      app.call('startDeviceAuth', (await createTestKey()).registration),
    )
    expect(await dumpTables(app.auth.db)).toContain(userCode)
    expect((await app.call('getDeviceAuthInfo', { userCode })).status).toBe(401)
    expect((await app.call('getDeviceAuthInfo', { userCode }, user.key)).status).toBe(200)
  })

  describe('is tried from all that is left, as a key, a token, a code or a password', () => {
    it('and opens nothing', async () => {
      const finds = oneOfEach(await findsIn(app, scenario))
      expect(finds.length).toBeGreaterThan(15)
      expect(await attack(app, scenario.victim, finds)).toEqual([])
    }, 120_000)

    it('at doors that are open to the secrets that are theirs', async () => {
      expect(await shutToTheirOwn(app, scenario.victim)).toEqual([])
    }, 60_000)
  })

  describe('is found by this hunter', () => {
    const secret = `${randomBytes(32).toString('base64url')}-/+`
    const bytes = Buffer.from(secret)

    const spellings = {
      'as it is': secret,
      'in hexadecimal': bytes.toString('hex'),
      'in base64, in the midst of something': Buffer.from(`{"a":"${secret}"}`).toString('base64'),
      'in base64url, at the end of something': Buffer.from(`ab${secret}`).toString('base64url'),
      'in an address': encodeURIComponent(secret),
    }
    it.each(Object.entries(spellings))('written %s', (_how, spelling) => {
      expect(foundIn(`a line with ${spelling} in it`, [secret])).toEqual([secret])
    })

    it('where it is six digits that stand alone, and not within others', () => {
      expect(foundIn('{"code":"123456"}', ['123456'])).toEqual(['123456'])
      expect(foundIn('{"at":1123456,"took":0.123456}', ['123456'])).toEqual([])
    })

    it('in a table, in Redis, in the log and in an event', async () => {
      const { db, log } = app.auth
      await db.execute(sql`create table svc_jobs.planted as select ${bytes}::bytea as bytes`)
      await ask(app.redis, ['XADD', 'planted', '*', 'name', secret])
      log.info(`planted ${secret}`)
      await loginEvent.emit({
        userId: scenario.victim.user.userId,
        keyId: secret,
        provider: 'email',
        mfa: 'none',
      })
      await vi.waitFor(() => expect(JSON.stringify(app.told)).toContain(secret))
      const after = await dump(app, scenario)
      const found = places.filter((place) => foundIn(after[place], [secret]).length > 0)
      expect(found).toEqual(['tables', 'redis', 'commands to Redis', 'log', 'events'])
    })
  })
})
