import { randomBytes } from 'node:crypto'
import { startTestAuth, type TestAuth } from '@svc/auth/testing'
import { goalOf, type Options, resultOf, rounded } from '../harness/result.ts'
import { spread } from '../harness/statistics.ts'
import { populate, roleBeside } from './populate.ts'
import { type Step, steps } from './steps.ts'

interface Row {
  step: Step
  rounds: { small: number; large: number; ratio: number }[]
  refused: number
}

/** The time of one step, without its preparation. */
async function timeOf(auth: TestAuth, row: Row) {
  const call = await row.step.prepare(auth)
  const began = performance.now()
  const { status } = await auth.call(...call)
  if (status >= 500 || status === 429) row.refused++
  return performance.now() - began
}

/** A round asks both in turn, so that other work on the machine slows both alike. */
async function measure(row: Row, [small, large]: [TestAuth, TestAuth], plan: Plan) {
  for (let round = -1; round < plan.rounds; round++) {
    const times = { small: [] as number[], large: [] as number[] }
    for (let index = 0; index < plan.count; index++) {
      if (index % 2 === 0) times.small.push(await timeOf(small, row))
      times.large.push(await timeOf(large, row))
      if (index % 2 === 1) times.small.push(await timeOf(small, row))
    }
    const [few, many] = [spread(times.small).median, spread(times.large).median]
    if (round >= 0) row.rounds.push({ small: few, large: many, ratio: many / few })
  }
  console.error(row.step.name)
}

interface Plan {
  rounds: number
  count: number
  accounts: [number, number]
}

const ringKey = `bench:${randomBytes(32).toString('base64')}`

async function filled(accounts: number) {
  const auth = await startTestAuth({
    env: { SVC_AUTH_TOKEN_ENCRYPTION_KEYS: ringKey },
    options: { roles: [roleBeside], rolePermissions: { [roleBeside.name]: ['audit:read'] } },
  })
  await populate(auth, accounts)
  return auth
}

const of = ({ rounds }: Row, pick: keyof Row['rounds'][number]) =>
  spread(rounds.map((round) => round[pick]))

export async function growth(options: Options) {
  const plan: Plan = options.smoke
    ? { rounds: 1, count: 2, accounts: [100, 1_000] }
    : options.quick
      ? { rounds: 3, count: 20, accounts: [1_000, 100_000] }
      : { rounds: 7, count: 60, accounts: [10_000, 1_000_000] }
  const [few, many] = plan.accounts.map((accounts) => accounts.toLocaleString('en'))
  const small = await filled(plan.accounts[0])
  const large = await filled(plan.accounts[1])
  const rows: Row[] = steps.map((step) => ({ step, rounds: [], refused: 0 }))
  try {
    for (const row of rows) await measure(row, [small, large], plan)
  } finally {
    await small.stop()
    await large.stop()
  }

  const worst = Math.max(...rows.map((row) => of(row, 'ratio').median))
  return resultOf('growth', options, {
    method:
      `Two servers in one process, on a database of ${few} accounts and on one of ${many}: two roles, a key, two ` +
      `entries in the trail and a spent link each. Each step ${plan.count} times on either, one here and one there, in ` +
      `each of ${plan.rounds} counted rounds after one that warms up; the median time of a round, bcrypt with 4 rounds, ` +
      'PostgreSQL without fsync. Ratios are the median over rounds.',
    tables: [
      {
        title: 'Time of a step, from the request to its answer',
        columns: ['Step', `ms at ${few}`, `ms at ${many}`, 'ratio', 'min–max', 'refused'],
        rows: rows.map((row) => {
          const { median, min, max } = of(row, 'ratio')
          return [
            row.step.name,
            rounded(of(row, 'small').median),
            rounded(of(row, 'large').median),
            rounded(median),
            `${rounded(min)}–${rounded(max)}`,
            String(row.refused),
          ]
        }),
      },
    ],
    goals: [
      goalOf(`every step at ${many} within 1.5 × of ${few}`, worst, (ratio) => ratio <= 1.5, '×'),
    ],
    notes: [],
  })
}
