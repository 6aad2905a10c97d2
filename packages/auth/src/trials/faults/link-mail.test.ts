import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { flows, stepsOf } from '../../links/testing/links.ts'
import { startTestAuth, type TestAnswer, type TestAuth } from '../../testing.ts'
import { dumpTables } from '../attacks/dump-tables.ts'
import { type Illness, localPart, startIllProvider } from './ill-provider.ts'

const illnesses: Illness[] = [
  'hangs up',
  'is slow',
  'takes it and says nothing',
  'says 451',
  'says 554',
]
const provider = await startIllProvider(illnesses)
const auth = await startTestAuth({ env: { SVC_MAIL_URL: provider.url } })
const queued = await startTestAuth({ env: { SVC_AUTH_LINK_MAIL_DELIVERY: 'queued' } })
afterAll(async () => {
  await Promise.all([auth.stop(), queued.stop()])
  await provider.stop()
})

type Flow = keyof typeof flows
const bothFlows = Object.keys(flows) as Flow[]
const varying = new Set(['date', 'x-request-id'])

/** What an answer is, less what no two have in common. */
const comparable = ({ status, body, headers }: TestAnswer) => ({
  status,
  body,
  headers: [...headers].filter(([name]) => !varying.has(name)),
})

async function askFast(at: TestAuth, flow: Flow, email: string) {
  const began = performance.now()
  const answer = await stepsOf(at, flow).ask(email)
  expect(performance.now() - began).toBeLessThan(1000)
  expect(answer.status).toBe(200)
  return comparable(answer)
}

/** An address that has an account where the flow wants one. */
async function readerOf(at: TestAuth, flow: Flow, name: string) {
  const email = `${name}.${flow}@example.com`
  return flow === 'reset' ? (await at.createUser({ email })).email : email
}

/** The token in a message as it went over the wire, quoted-printable. */
const tokenIn = (raw: string) =>
  /[?&]token=([\w-]{43})/.exec(raw.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[1] ?? ''

describe('F9: a mail provider that is ill', () => {
  it('shows in no answer, and every link is mailed once it is well, one twice at most (A-184)', async () => {
    const cases = await Promise.all(
      bothFlows.flatMap((flow) =>
        illnesses.map(async (illness) => {
          const to = await readerOf(auth, flow, localPart(illness))
          return { flow, illness, to }
        }),
      ),
    )
    const usual = await askFast(auth, 'signup', 'well@example.com')
    const answers = []
    for (const { flow, to } of cases) answers.push(await askFast(auth, flow, to))
    expect(answers).toEqual(answers.map(() => usual))

    await vi.waitFor(
      () => {
        for (const { to, illness } of cases) {
          const twice = illness === 'takes it and says nothing'
          expect([to, provider.takenFor(to).length]).toEqual([to, twice ? 2 : 1])
        }
      },
      { timeout: 18_000, interval: 100 },
    )
    for (const { flow, to } of cases) {
      const { open } = stepsOf(auth, flow)
      const tokens = provider.takenFor(to).map(tokenIn)
      const opened = tokens.map((token) => open(token).then(({ status }) => status === 200))
      // Of two, the one that came last.
      expect([to, await Promise.all(opened)]).toEqual([
        to,
        tokens.map((_, at) => at === tokens.length - 1),
      ])
    }
  }, 25_000)

  it('leaves no token in the queue, in another table or in the log (A-050, A-051)', async () => {
    const tokens = provider.asked.flatMap((to) => provider.takenFor(to).map(tokenIn))
    expect(tokens.length).toBeGreaterThan(illnesses.length * 2)
    const kept = `${await dumpTables(auth.auth.db)}\n${JSON.stringify(auth.logged)}`
    expect(kept).toContain('job failed and is tried again')
    expect(kept).toContain('auth.link-mail')
    expect(tokens.filter((token) => token === '' || kept.includes(token))).toEqual([])
  })
})

describe('F9: a queue that is down', () => {
  async function whileDown<Result>(at: TestAuth, run: () => Promise<Result>) {
    const { db } = at.auth
    await db.execute(sql`alter schema svc_jobs rename to svc_jobs_away`)
    try {
      return await run()
    } finally {
      await db.execute(sql`alter schema svc_jobs_away rename to svc_jobs`)
    }
  }

  const refusalLogged = (at: TestAuth, from: number) =>
    vi.waitFor(() => {
      const said = expect.objectContaining({
        level: 'error',
        msg: 'a link mail could not be queued',
      })
      expect(at.logged.slice(from)).toContainEqual(said)
    })

  it('shows in no answer: `auto` mails from the process that was asked (A-185)', async () => {
    for (const flow of bothFlows) {
      const usual = await askFast(auth, flow, await readerOf(auth, flow, 'up'))
      const to = await readerOf(auth, flow, 'down')
      const before = auth.logged.length
      await whileDown(auth, async () => {
        expect(await askFast(auth, flow, to)).toEqual(usual)
        expect(await askFast(auth, flow, 'absent@example.com')).toEqual(usual)
        await vi.waitFor(() => expect(provider.takenFor(to)).toHaveLength(1), 5000)
        await refusalLogged(auth, before)
      })
      const [raw = ''] = provider.takenFor(to)
      expect(await stepsOf(auth, flow).open(tokenIn(raw))).toMatchObject({ status: 200 })
    }
  })

  it('shows in no answer: `queued` logs it, and the next request mails (A-185)', async () => {
    for (const flow of bothFlows) {
      const usual = await askFast(queued, flow, await readerOf(queued, flow, 'up'))
      const to = await readerOf(queued, flow, 'down')
      const before = queued.logged.length
      await whileDown(queued, async () => expect(await askFast(queued, flow, to)).toEqual(usual))
      await refusalLogged(queued, before)
      expect(await queued.messagesTo(to)).toEqual([])
      const { open, token } = stepsOf(queued, flow)
      expect(await open(await token(to))).toMatchObject({ status: 200 })
    }
  })
})
