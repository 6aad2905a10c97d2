import { createSSEClient, createWSClient, requestSigner, type SigningKey } from '@svc/core/client'
import { createTestKey, type TestKey, type TestUser } from '../../../testing.ts'
import type { eventRouter, socketRouter } from './application.ts'

/** What the instances call themselves: they are reached through several balancers. */
export const audience = 'http://api.test'

interface Asked {
  method: 'GET' | 'POST'
  path: string
  body?: object
  key?: SigningKey
  headers?: Record<string, string>
}

export interface Rates {
  /** By devices that are signed in: half of them GET, half POST an event. */
  signedPerSecond: number
  /** POSTs. */
  plainPerSecond: number
}

/** Those who use the application through one balancer, and what they count. */
export class Visitors {
  readonly #url: string
  readonly #users: readonly TestUser[]
  readonly #user: TestUser
  readonly #first: number
  readonly #keys: TestKey[]
  readonly #closing: (() => void)[] = []
  #timers: NodeJS.Timeout[] = []
  readonly #underway = new Set<Promise<unknown>>()
  sent = 0
  /** Requests that were not answered with 2xx. */
  readonly failures: string[] = []
  /** What was acknowledged, in the order of the answers. */
  readonly ticks: number[] = []
  /** What instances took for the address of a visitor. */
  readonly addresses = new Set<string>()
  readonly streams: Streamed[] = []

  constructor(url: string, users: readonly [TestUser, ...TestUser[]], first: number) {
    const [user] = users
    this.#url = url
    this.#users = users
    this.#user = user
    this.#first = first
    this.#keys = [user.key]
  }

  /** One request, sent once. */
  async ask({ method, path, body, key, headers }: Asked): Promise<unknown> {
    const url = `${this.#url}${path}`
    const text = body && JSON.stringify(body)
    const sign = key && requestSigner(key, { audience })
    const signed = await sign?.({ method, url, body: text ?? '' })
    this.sent += 1
    try {
      const answer = await fetch(url, {
        method,
        headers: { ...headers, ...signed, ...(text && { 'content-type': 'application/json' }) },
        ...(text && { body: text }),
      })
      const answered = await answer.text()
      if (answer.ok) return answered === '' ? undefined : JSON.parse(answered)
      this.failures.push(`${method} ${path}: ${answer.status} ${answered.slice(0, 200)}`)
    } catch (error) {
      const { message, cause } = error as Error
      this.failures.push(`${method} ${path}: ${message} ${String(cause)}`)
    }
    return undefined
  }

  async #sayTick(n: number) {
    const said = await this.ask({
      method: 'POST',
      path: '/ticks',
      body: { n },
      key: this.#user.key,
    })
    if (said) this.ticks.push(n)
  }

  async #askWhere(key: TestKey) {
    // What a visitor claims of itself is not to be believed.
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const said = await this.ask({ method: 'GET', path: '/where-from', key, headers })
    if (said) this.addresses.add((said as { address: string }).address)
  }

  /** Signs one of the users in on one more device, whose key is good from then on at every instance. */
  async #signIn() {
    const key = await createTestKey()
    const next = this.#users[this.#keys.length % this.#users.length]
    const { email, password } = next ?? this.#user
    const body = { email, password, ...key.registration }
    const said = await this.ask({ method: 'POST', path: '/_auth/login', body })
    if (said) this.#keys.push(key)
  }

  /** Begins to ask and to count, whether or not earlier requests have their answers: so many of each kind a second. */
  start({ signedPerSecond, plainPerSecond }: Rates) {
    this.sent = 0
    this.failures.length = 0
    let n = this.#first
    const often = (run: () => Promise<unknown>, everyMillis: number) => {
      const timer = setInterval(() => this.#keep(run()), everyMillis)
      this.#timers.push(timer)
    }
    const anyKey = () => this.#keys[n % this.#keys.length] as TestKey
    often(() => this.#sayTick(++n), 2000 / signedPerSecond)
    often(() => this.#askWhere(anyKey()), 2000 / signedPerSecond)
    often(() => this.ask({ method: 'POST', path: '/plain' }), 1000 / plainPerSecond)
    often(() => this.#signIn(), 1000)
  }

  #keep(work: Promise<unknown>) {
    this.#underway.add(work)
    void work.finally(() => this.#underway.delete(work))
  }

  /** No more requests from here on. */
  async pause() {
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    await Promise.all(this.#underway)
  }

  /** Asks with every key once: who was signed in still is. */
  async askWithEveryKey() {
    for (const key of this.#keys) await this.#askWhere(key)
    return this.#keys.length
  }

  /** Opens streams with our own client, every other one a WebSocket. */
  follow(count: number) {
    const acquireToken = async () => {
      const asked = { method: 'POST', path: '/events/token', key: this.#user.key } as const
      const said = (await this.ask(asked)) as { token: string } | undefined
      if (!said) throw new Error('no token')
      return said.token
    }
    const options = { host: this.#url, acquireToken }
    for (let at = 0; at < count; at++) {
      const streamed = new Streamed()
      this.streams.push(streamed)
      const client =
        at % 2 === 0
          ? createSSEClient<typeof eventRouter>(options)
          : createWSClient<typeof socketRouter>(options)
      this.#closing.push(client.subscribe(streamed.subscription))
    }
  }

  leave() {
    for (const close of this.#closing.splice(0)) close()
  }
}

/** What one client got. */
export class Streamed {
  readonly got: number[] = []
  /** Notices that something may have been missed. */
  readonly losses: string[] = []
  opened = 0

  readonly subscription = {
    handlers: { tick: ({ n }: { n: number }) => void this.got.push(n) },
    onOpen: ({ recovered }: { recovered: boolean }) => {
      this.opened += 1
      if (this.opened > 1 && !recovered) this.losses.push('not recovered')
    },
    onGap: ({ reason }: { reason: string }) => void this.losses.push(`gap: ${reason}`),
    onRejected: ({ message }: Error) => void this.losses.push(`rejected: ${message}`),
    onClose: () => void this.losses.push('closed'),
  }
}
