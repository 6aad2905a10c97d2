import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, link, mkdtemp, rename, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../testing/free-port.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'

const program = fileURLToPath(new URL('./testing/several-processes.ts', import.meta.url))

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

function launch(env: Record<string, string> = {}, node = process.execPath) {
  const child = spawn(node, ['--conditions=svc-source', program], {
    env: {
      PATH: process.env['PATH'],
      SVC_PROCESSES: '3',
      SVC_PORT: '0',
      DATABASE_URL: database.url,
      ...env,
    },
    // A group of its own, as a terminal gives.
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (output += text.toString()))
  }
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  onTestFinished(async () => {
    signalGroup('SIGKILL')
    await ended
  })
  function signalGroup(signal: NodeJS.Signals) {
    try {
      process.kill(-(child.pid ?? 0), signal)
    } catch {
      // All of it has ended.
    }
  }
  return { child, ended, output: () => output, signalGroup }
}

async function start(env?: Record<string, string>, node?: string) {
  const launched = launch(env, node)
  await vi.waitFor(() => expect(launched.output()).toContain('all processes serve'), within)
  const [, url = ''] = /"url":"([^"]+)"/.exec(launched.output()) ?? []
  return { ...launched, url }
}

/** What `node --watch`, or any loader, may send beside us on the channel of a process, in both directions. */
const noise = `--import=data:text/javascript,${encodeURIComponent(`
  const messages = [
    null, true, 'text', 1, {}, [], { 'watch:import': ['file:///a.js'] }, { svc: 'toString' }, { svc: 'metrics wanted' },
    { svc: 'metrics asked' }, { svc: 'metrics of one', round: 1 }, { svc: 'metrics of all', by: 1 },
  ]
  const { send, emit } = process
  if (send) {
    process.send = (...given) => {
      for (const each of messages) if (each !== null) send.call(process, each)
      return send.apply(process, given)
    }
    process.emit = (name, ...given) => {
      if (name === 'message') for (const each of messages) emit.call(process, name, each)
      return emit.call(process, name, ...given)
    }
  }
`)}`

const within = { timeout: 20_000, interval: 20 }

/** On a connection of its own, so that each comes to the next process. */
async function ask(url: string, path = '/which', init: RequestInit = {}) {
  const headers = { connection: 'close', 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { headers, ...init })
  const body = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${body}`)
  return JSON.parse(body) as { pid: number }
}

/** The processes that answer, once there are as many. */
async function pidsOf(url: string, count = 3) {
  const pids = new Set<number>()
  await vi.waitFor(async () => {
    pids.add((await ask(url)).pid)
    expect(pids.size).toBe(count)
  }, within)
  return [...pids]
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const areGone = (pids: number[]) =>
  vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), within)

/** What a stream has heard, as text. */
async function openStream(url: string) {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const { body } = await fetch(`${url}/events/stream?events=ticked`, { signal: leaving.signal })
  let heard = ''
  const read = async () => {
    for await (const chunk of body ?? []) heard += Buffer.from(chunk).toString()
  }
  void read().catch(() => {})
  return () => heard
}

describe('SVC_PROCESSES=3', { timeout: 60_000 }, () => {
  it('serves one port with three processes, and each hears what another one emits', async () => {
    const { url } = await start()
    const pids = await pidsOf(url)
    const streams = await Promise.all(Array.from({ length: 6 }, () => openStream(url)))
    const emitters = new Set<number>()
    let n = 0
    while (emitters.size < 3) {
      const body = JSON.stringify({ n: (n += 1) })
      emitters.add((await ask(url, '/tick', { method: 'POST', body })).pid)
    }
    expect(emitters).toEqual(new Set(pids))
    const all = Array.from({ length: n }, (_, at) => at + 1)
    await vi.waitFor(() => {
      for (const heard of streams) {
        expect([...heard().matchAll(/"n":(\d+)/g)].map(([, each]) => Number(each))).toEqual(all)
      }
    }, within)
  })

  it('puts another process in the place of one that dies, and the others go on', async () => {
    const { url, output } = await start()
    const [victim = 0] = await pidsOf(url)
    process.kill(victim, 'SIGKILL')
    await areGone([victim])
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(url)))
    expect(answers.map(({ pid }) => pid)).not.toContain(victim)
    expect(await pidsOf(url)).not.toContain(victim)
    expect(output()).toMatch(/"how":"SIGKILL","pauseMillis":0,"msg":"a process ended/)
  })

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

  it.each([
    ['SIGTERM to the first process', 'SIGTERM', false],
    ['Ctrl-C in a terminal, which all of them get', 'SIGINT', true],
    ['SIGTERM to all of them', 'SIGTERM', true],
  ] as const)('ends in order at %s: what is under way is answered', async (_, signal, toAll) => {
    const { url, child, ended, signalGroup } = await start()
    const pids = await pidsOf(url)
    const slow = Array.from({ length: 6 }, () => ask(url, '/slow'))
    await untilTaken(url)
    if (toAll) signalGroup(signal)
    else child.kill(signal)
    const answers = await Promise.all(slow)
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(3)
    expect(await ended).toBe(0)
    await areGone(pids)
  })

  it.each([
    ['where it meets the word that the first one serves', 0],
    ['while the others start', 200],
  ])('ends all of them in order at a signal %s', async (_, millis) => {
    const { child, ended, output } = launch()
    await vi.waitFor(() => expect(output()).toContain('"msg":"listening"'), within)
    await wait(millis)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
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

  it('says once why it does not start, and ends with 1', async () => {
    const port = await freePort()
    const squatter = createServer().listen(port, 'localhost')
    onTestFinished(() => void squatter.close())
    await once(squatter, 'listening')
    const { ended, output } = launch({ SVC_PORT: `${port}` })
    expect(await ended).toBe(1)
    expect(output().match(/Port \d+ is in use/g)).toHaveLength(1)
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

  it.each([
    ['', {}],
    [', beside messages of others on their channels', { NODE_OPTIONS: noise }],
  ])('shows the metrics of all processes, each with its own label%s', async (_, env) => {
    const token = 'Vx9Qk2Lm7Rt4Wz1Yb6Nc3Hd8Jf5Gs0Pa'
    const { url } = await start({ SVC_OPS_METRICS_TOKEN: token, ...env })
    await pidsOf(url)
    const answer = await fetch(`${url}/_ops/metrics`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await answer.text()
    const lines = text.split('\n')
    expect(lines.filter((line) => line.startsWith('# TYPE svc_streams_open '))).toHaveLength(1)
    const of = (name: string) =>
      lines
        .filter((line) => line.startsWith(`${name}{`))
        .flatMap((line) => /process="(\d+)"/.exec(line)?.[1] ?? [])
    expect(of('process_resident_memory_bytes')).toEqual(['1', '2', '3'])
    expect(new Set(of('svc_streams_open'))).toEqual(new Set(['1', '2', '3']))
    expect(
      lines.filter((line) => line && !line.startsWith('#') && !line.includes('process=')),
    ).toEqual([])
  })

  it('is one process for auto where several could not hear each other, and says why', async () => {
    const { output } = launch({ SVC_PROCESSES: 'auto', DATABASE_URL: '' })
    await vi.waitFor(() => expect(output()).toContain('"msg":"listening"'), within)
    expect(output()).toContain(
      'one process serves, although SVC_PROCESSES is auto: CACHE_URL is required',
    )
  })

  it.each([
    [{ SVC_PROCESSES: '0' }, 'SVC_PROCESSES must be auto or a whole number from 1 to 256'],
    [{ DATABASE_URL: '' }, 'CACHE_URL is required where SVC_PROCESSES is more than one'],
  ])('refuses to start with %o', async (env, reason) => {
    const { ended, output } = launch(env)
    expect(await ended).toBe(1)
    expect(output()).toContain(reason)
  })
})

/** Requests that were sent before have been taken when later ones are answered by every process. */
async function untilTaken(url: string) {
  await pidsOf(url)
  await wait(100)
}
