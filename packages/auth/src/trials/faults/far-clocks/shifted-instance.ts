import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, vi } from 'vitest'
import { startInstance } from '../start-instance.ts'

const program = fileURLToPath(new URL('./program.ts', import.meta.url))

/** Stands between a program and the clock of its machine. MT is for programs with threads. */
const [library] = globSync('/usr/{lib,lib64,local/lib}{,/*-linux-gnu}/faketime/libfaketimeMT.so.1')

/** What a title says where it is not installed. */
export const missing = library === undefined ? ' (no libfaketime: apt-get install faketime)' : ''

export type ShiftedInstance = Awaited<ReturnType<typeof startShiftedInstance>>

/** A process whose clock is so many seconds ahead of the machine's, and can be set while it runs. */
export async function startShiftedInstance(env: Record<string, string>, seconds: number) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-clock-'))
  const file = join(folder, 'faketime')
  const write = (off: number) => writeFile(file, `${off < 0 ? '' : '+'}${off}s\n`)
  await write(seconds)
  const logged: string[] = []
  const shift = {
    LD_PRELOAD: library ?? '',
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // A clock that is set moves the time of day, and no timer.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  const instance = await startInstance({ program, env: { ...env, ...shift }, logged })
  const ask = async (path: string) => {
    const answer = await fetch(`${instance.url}${path}`)
    return { status: answer.status, body: await answer.json() }
  }
  return {
    url: instance.url,
    logged,
    async ready() {
      // What it has said is remembered for half a second.
      await wait(510)
      return ask('/_core/health/ready')
    },
    live: () => ask('/_core/health/live'),
    /** Resolves when the process goes by it. */
    async setAhead(off: number) {
      await write(off)
      await vi.waitFor(async () => {
        const { body } = await ask('/_core/health/live')
        const ahead = (Date.parse(body.timestamp) - Date.now()) / 1000
        expect(Math.abs(ahead - off)).toBeLessThan(1)
      }, 10_000)
    },
    async stop() {
      await instance.kill()
      await rm(folder, { recursive: true })
    },
  }
}
