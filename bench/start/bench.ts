import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildCore, generated } from '../harness/built-core.ts'
import { forked, nextMessage, stopChild } from '../harness/child.ts'
import { goalOf, type Options, resultOf, rounded } from '../harness/result.ts'
import { spread } from '../harness/statistics.ts'

interface Starter {
  label: string
  file: string
  asks: boolean
  millis: number[]
}

const bench = fileURLToPath(new URL('../', import.meta.url))

/** Copied to where imports find the built package first. */
async function copied() {
  await buildCore()
  const folder = join(generated, 'start')
  rmSync(folder, { recursive: true, force: true })
  for (const part of ['harness', 'routes', 'start']) {
    cpSync(join(bench, part), join(folder, part), { recursive: true })
  }
  return folder
}

/** From the fork to the first complete answer. */
async function firstAnswer(file: string, asks: boolean, env: NodeJS.ProcessEnv = {}) {
  const startedAt = performance.now()
  const child = forked(file, env, [])
  try {
    const { url } = await nextMessage<{ url: string }>(child)
    if (asks) {
      const answer = await fetch(`${url}/users/42`)
      if (!answer.ok) throw new Error(`answers ${answer.status}`)
      await answer.text()
    }
    return performance.now() - startedAt
  } finally {
    await stopChild(child, env.DATABASE_URL === undefined ? 'SIGKILL' : 'SIGTERM')
  }
}

/** With a new directory each time, then again with the same one. */
async function embeddedStarts(folder: string, rounds: number) {
  const file = join(folder, 'start/svc-embedded.ts')
  const first: number[] = []
  const later: number[] = []
  for (let round = 0; round < rounds; round++) {
    const directory = mkdtempSync(join(tmpdir(), 'svc-bench-'))
    const env = { DATABASE_URL: `embedded:${directory}/data` }
    try {
      first.push(await firstAnswer(file, true, env))
      later.push(await firstAnswer(file, true, env))
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
  return { first, later }
}

export async function start(options: Options) {
  const rounds = options.smoke ? 1 : options.quick ? 3 : 11
  const folder = await copied()
  const at = (file: string) => join(folder, file)
  const starters: Starter[] = [
    { label: 'bare Node, no server', file: at('start/bare.ts'), asks: false, millis: [] },
    { label: 'node:http', file: at('routes/node-http.ts'), asks: true, millis: [] },
    { label: 'Hono', file: at('routes/hono-bare.ts'), asks: true, millis: [] },
    { label: 'Fastify', file: at('routes/fastify.ts'), asks: true, millis: [] },
    { label: 'Svc, no database', file: at('routes/svc.ts'), asks: true, millis: [] },
  ]
  const leftOut: string[] = []
  const failed = new Set<Starter>()
  for (let round = -1; round < rounds; round++) {
    for (const starter of starters) {
      if (failed.has(starter)) continue
      try {
        const millis = await firstAnswer(starter.file, starter.asks)
        if (round >= 0) starter.millis.push(millis)
      } catch (error) {
        leftOut.push(`${starter.label} is left out: ${String(error)}`)
        failed.add(starter)
      }
    }
  }
  const svc = starters.find(({ label }) => label.startsWith('Svc'))
  const embedded = await embeddedStarts(folder, Math.min(rounds, 5)).catch((error: unknown) => {
    leftOut.push(`Svc with the embedded database is left out: ${String(error)}`)
    return { first: [], later: [] }
  })
  const lines = [
    ...starters,
    { label: 'Svc, embedded database, first start', millis: embedded.first },
    { label: 'Svc, embedded database, later starts', millis: embedded.later },
  ].filter(({ millis }) => millis.length > 0)
  const bare = spread(starters[0]?.millis ?? []).median
  const under = (bound: number) => (millis: number) => millis < bound

  return resultOf('start', options, {
    method: `From the start of the process to its first whole answer, median of ${rounds} interleaved starts; packages built as users install them. With the embedded database, ${embedded.first.length} first starts on a new directory, its programs already unpacked, and a later one after each.`,
    tables: [
      {
        title: 'Cold start to the first answer',
        columns: ['App', 'ms, median', 'min–max', 'over bare Node'],
        rows: lines.map(({ label, millis }) => {
          const { median, min, max } = spread(millis)
          return [label, rounded(median), `${rounded(min)}–${rounded(max)}`, rounded(median - bare)]
        }),
      },
    ],
    goals: [
      goalOf(
        'ready without the database in under 500 ms',
        svc && spread(svc.millis).median,
        under(500),
        'ms',
      ),
      goalOf(
        'first start with the embedded database in under 1.5 s',
        spread(embedded.first).median,
        under(1500),
        'ms',
      ),
      goalOf('later starts with it in under 2 s', spread(embedded.later).median, under(2000), 'ms'),
    ],
    notes: [],
    leftOut,
  })
}
