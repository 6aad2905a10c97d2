import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { orFew } from '../../../../scripts/test/or-few.ts'
import { freePort } from '../testing/free-port.ts'
import { areGone, ask, pidsOf, untilTaken, useProcesses, within } from './test-several-processes.ts'

const { launch, start } = useProcesses()

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

  it.each(
    orFew([
      ['SIGTERM to the first process', 'SIGTERM', false],
      ['Ctrl-C in a terminal, which all of them get', 'SIGINT', true],
      ['SIGTERM to all of them', 'SIGTERM', true],
    ] as const),
  )('ends in order at %s: what is under way is answered', async (_, signal, toAll) => {
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

  it.each(
    orFew([
      ['where it meets the word that the first one serves', 0],
      ['while the others start', 200],
    ] as const),
  )('ends all of them in order at a signal %s', async (_, millis) => {
    const { child, ended, output } = launch()
    await vi.waitFor(() => expect(output()).toContain('"msg":"listening"'), within)
    await wait(millis)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
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

  it.each(
    orFew<[string, Record<string, string>]>([
      ['', {}],
      [', beside messages of others on their channels', { NODE_OPTIONS: noise }],
    ]),
  )('shows the metrics of all processes, each with its own label%s', async (_, env) => {
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
