import { once } from 'node:events'
import { cp, link, mkdtemp, rename, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { areGone, ask, pidsOf, untilTaken, useProcesses, within } from './test-several-processes.ts'

const { launch, start } = useProcesses()

describe('SVC_PROCESSES=3', { timeout: 60_000 }, () => {
  it('goes on where another process can’t be started, and starts it when it can', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-node-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [node, elsewhere] = [join(folder, 'node'), join(folder, 'elsewhere')]
    await link(process.execPath, node).catch(() => cp(process.execPath, node))
    const { url, output } = await start({}, node)
    const [victim = 0] = await pidsOf(url)
    await rename(node, elsewhere)
    process.kill(victim, 'SIGKILL')
    await vi.waitFor(() => expect(output()).toMatch(/"how":"spawn [^"]*ENOENT"/), within)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(url)))
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(2)
    await rename(elsewhere, node)
    expect(await pidsOf(url)).not.toContain(victim)
  })

  it('ends at once at a second signal', async () => {
    const { url, child, ended } = await start({ SVC_SHUTDOWN_DELAY: '60s' })
    const pids = await pidsOf(url)
    child.kill('SIGTERM')
    await vi.waitFor(async () => {
      expect((await fetch(`${url}/_core/health/ready`)).status).toBe(503)
    }, within)
    child.kill('SIGTERM')
    expect(await ended).toBe(1)
    await areGone(pids)
  })

  it('answers what is under way where the first process is killed, and ends', async () => {
    const { url, child, ended } = await start()
    const pids = await pidsOf(url)
    const slow = Array.from({ length: 6 }, () => ask(url, '/slow'))
    await untilTaken(url)
    child.kill('SIGKILL')
    expect(await ended).toBe(null)
    await Promise.all(slow)
    await areGone(pids)
  })

  it('answers what is under way also where metrics are asked for when the first process was killed', async () => {
    const token = 'Vx9Qk2Lm7Rt4Wz1Yb6Nc3Hd8Jf5Gs0Pa'
    const { url, child, ended } = await start({
      SVC_OPS_METRICS_TOKEN: token,
      SVC_SHUTDOWN_DELAY: '2s',
    })
    const pids = await pidsOf(url)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const onOneConnection = async (path: string) => {
      const asked = get(`${url}${path}`, { agent, headers: { authorization: `Bearer ${token}` } })
      const [answer] = await once(asked, 'response')
      answer.resume()
      return answer.statusCode as number
    }
    expect(await onOneConnection('/which')).toBe(200)
    const slow = Array.from({ length: 6 }, () => ask(url, '/slow'))
    await untilTaken(url)
    child.kill('SIGKILL')
    expect(await ended).toBe(null)
    expect(await onOneConnection('/_ops/metrics')).toBe(200)
    expect(await Promise.all(slow)).toHaveLength(6)
    await areGone(pids)
  })

  it('waits longer each time for a process that does not start, while another one serves', async () => {
    const { ended, output, child } = launch({ TEST_OTHERS_FAIL: 'yes', SVC_PROCESSES: '2' })
    const pauses = () =>
      [...output().matchAll(/"pauseMillis":(\d+)/g)].map(([, millis]) => Number(millis))
    await vi.waitFor(() => expect(pauses().slice(0, 3)).toEqual([0, 1000, 2000]), within)
    const [, url = ''] = /"url":"([^"]+)"/.exec(output()) ?? []
    await pidsOf(url, 1)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})
