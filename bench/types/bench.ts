import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildCore, compiler, generated } from '../harness/built-core.ts'
import { stopChild } from '../harness/child.ts'
import { goalOf, type Options, resultOf, rounded } from '../harness/result.ts'
import { spread } from '../harness/statistics.ts'
import { elysia } from './elysia.ts'
import { hono } from './hono.ts'
import { orpc } from './orpc.ts'
import { type Peer, shapes } from './shapes.ts'
import { svc } from './svc.ts'
import { trpc } from './trpc.ts'

const folderOf = (peer: Peer) => join(generated, 'types', peer.name)
const limitMillis = 120_000

interface Check {
  seconds: number
  peakMiB: number
  instantiations: number
  errors: number
  firstError: string | undefined
  timedOut: boolean
}

function write(peer: Peer, count: number) {
  const folder = folderOf(peer)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(peer.files(shapes(count)))) {
    writeFileSync(join(folder, name), text)
  }
  const config = {
    extends: '../../../../tsconfig.base.json',
    compilerOptions: { noEmit: true, declaration: false, sourceMap: false },
    include: ['*.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config, null, 2))
  return folder
}

/** The kernel's own maximum: the compiler reports the memory at its end, which is less. */
function peakKiB(pid: number | undefined) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0)
  } catch {
    return 0
  }
}

async function check(folder: string): Promise<Check> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [compiler(), '-p', folder, '--extendedDiagnostics'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  let peak = 0
  let timedOut = false
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const watch = setInterval(() => (peak = Math.max(peak, peakKiB(child.pid))), 10)
  const limit = setTimeout(() => {
    timedOut = true
    void stopChild(child)
  }, limitMillis)
  await new Promise((resolve) => child.once('close', resolve))
  clearInterval(watch)
  clearTimeout(limit)
  const figure = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(output)?.[1] ?? Number.NaN)
  const errors = output.split('\n').filter((line) => line.includes('error TS'))
  return {
    seconds: (performance.now() - startedAt) / 1000,
    peakMiB: peak > 0 ? peak / 1024 : figure('Memory used') / 1024,
    instantiations: figure('Instantiations'),
    errors: errors.length,
    firstError: errors[0],
    timedOut,
  }
}

export async function types(options: Options) {
  const count = options.smoke ? 40 : 1000
  const rounds = options.quick ? 1 : 5
  await buildCore()
  const peers = [svc, trpc, orpc, hono, elysia].map((peer) => ({
    peer,
    folder: write(peer, count),
    checks: [] as Check[],
  }))
  for (let round = 0; round < rounds; round++) {
    for (const { folder, checks } of peers) {
      // If it has reached the limit once, don't spend another two minutes.
      if (!checks.some(({ timedOut }) => timedOut)) checks.push(await check(folder))
    }
    console.error(`round ${round + 1} of ${rounds}`)
  }
  const of = (checks: Check[], figure: 'seconds' | 'peakMiB' | 'instantiations') =>
    spread(checks.map((one) => one[figure]))
  const ours = peers[0]?.checks ?? []
  const sound = ours.every(({ errors, timedOut }) => errors === 0 && !timedOut)
  const measured = (figure: 'seconds' | 'peakMiB') => (sound ? of(ours, figure).median : undefined)

  return resultOf('types', options, {
    method:
      `${count} routes in 40 files, with params, query, body, declared errors and three kinds of answer, and a client ` +
      'that calls each and uses its answer, in a function for each file; TypeScript 7 `tsc --noEmit` on the whole, declarations of the packages ' +
      `as a user has them, median of ${rounds} interleaved runs, limit ${limitMillis / 1000} s.`,
    tables: [
      {
        title: `Type-check of ${count} routes and a client that calls each`,
        columns: ['Peer', 'seconds, median', 'min–max', 'peak MiB', 'instantiations', '× Svc'],
        rows: peers.map(({ peer, checks }) => {
          const seconds = of(checks, 'seconds')
          if (checks.some(({ timedOut }) => timedOut))
            return [peer.label, '> 120', '–', '–', '–', '–']
          return [
            peer.label,
            rounded(seconds.median),
            `${rounded(seconds.min)}–${rounded(seconds.max)}`,
            rounded(of(checks, 'peakMiB').median),
            rounded(of(checks, 'instantiations').median),
            rounded(seconds.median / of(ours, 'seconds').median),
          ]
        }),
      },
    ],
    goals: [
      goalOf('1,000 routes and their client in under 2 s', measured('seconds'), (s) => s < 2, 's'),
      goalOf('under 1 GB', measured('peakMiB'), (mib) => mib * 2 ** 20 < 1e9, 'MiB'),
    ],
    notes: peers.flatMap(({ peer, checks }) =>
      checks[0]?.errors
        ? [
            `${peer.label}: ${checks[0].errors} type errors, so its figures mean little: ${checks[0].firstError}`,
          ]
        : [],
    ),
  })
}
