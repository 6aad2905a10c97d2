import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopChild } from '../harness/child.ts'
import { chosenOf, goalOf, type Options, resultOf, rounded } from '../harness/result.ts'
import { freePort } from '../harness/served.ts'
import { quantile, spread } from '../harness/statistics.ts'
import { type Application, makeApplications } from './applications.ts'

/**
 * A developer looks at the result before the next save. Meanwhile, the packages are loaded ahead.
 */
const pauseMillis = 3_000

interface Developed extends Application {
  url: string
  child: ChildProcess
  millis: number[]
}

/** The data of the starter are those of a new database, with fsync. */
async function develop(application: Application, data: string): Promise<Developed> {
  const port = await freePort()
  const { DATABASE_URL, NODE_ENV, NODE_OPTIONS, ...inherited } = process.env
  const child = spawn(process.execPath, application.args, {
    cwd: application.folder,
    env: {
      ...inherited,
      PORT: `${port}`,
      SVC_PORT: `${port}`,
      DATABASE_URL: `embedded:${join(data, 'data')}`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return { ...application, url: `http://localhost:${port}/word`, child, millis: [] }
}

/**
 * Asks until the answer has a word. Between two servers no port is open, or a connection breaks:
 * then it asks again.
 */
async function answered({ url, child, label }: Developed, word: string) {
  const until = Date.now() + 60_000
  while (Date.now() < until && child.exitCode === null) {
    const answer = await fetch(url)
      .then((response) => response.json() as Promise<{ word?: string }>)
      .catch(() => ({ word: undefined }))
    if (answer.word === word) return
    await sleep(5)
  }
  throw new Error(`${label} does not answer what was saved`)
}

async function saveOnce(developed: Developed, word: string) {
  const began = performance.now()
  writeFileSync(developed.file, developed.textOf(word))
  await answered(developed, word)
  return performance.now() - began
}

interface Plan {
  rounds: number
  pause: number
}

/** One application runs at a time. */
async function saves(application: Application, { rounds, pause }: Plan) {
  const data = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const developed = await develop(application, data)
  try {
    await answered(developed, 'first')
    for (let round = -1; round < rounds; round++) {
      await sleep(pause)
      const millis = await saveOnce(developed, `word${round}`)
      // The first one finds no code that an earlier one has compiled.
      if (round >= 0) developed.millis.push(millis)
    }
    return developed.millis
  } finally {
    await stopChild(developed.child, 'SIGTERM')
    rmSync(data, { recursive: true, force: true })
  }
}

export async function save(options: Options) {
  const plan: Plan = options.smoke
    ? { rounds: 1, pause: 100 }
    : { rounds: options.quick ? 5 : 15, pause: pauseMillis }
  const leftOut: string[] = []
  const measured: { label: string; millis: number[] }[] = []
  for (const application of chosenOf(options, await makeApplications(), 3)) {
    try {
      measured.push({ label: application.label, millis: await saves(application, plan) })
    } catch (error) {
      leftOut.push(`${application.label} is left out: ${String(error)}`)
    }
  }
  const starter = measured.find(({ label }) => label.includes('starter'))
  return resultOf('save', options, {
    method: `From the write of a file of a route to the first whole answer with what was written, asked for every 5 ms; ${plan.rounds} saves of each application after one that is not counted, ${plan.pause / 1000} s after the answer before. One application runs at a time; packages are built as users install them, and those of the application run from TypeScript.`,
    tables: [
      {
        title: 'From the save to the answer',
        columns: ['App', 'ms, median', 'min–max', 'p90'],
        rows: measured.map(({ label, millis }) => {
          const { median, min, max } = spread(millis)
          return [
            label,
            rounded(median),
            `${rounded(min)}–${rounded(max)}`,
            rounded(quantile(millis, 0.9)),
          ]
        }),
      },
    ],
    goals: [
      goalOf(
        'a save under svc dev in under 1 s',
        starter && spread(starter.millis).median,
        (millis) => millis < 1000,
        'ms',
      ),
    ],
    notes: [],
    leftOut,
  })
}
