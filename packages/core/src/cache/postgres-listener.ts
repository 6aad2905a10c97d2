import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../observation/observation.ts'
import type { Channels } from './channels.ts'
import { type Messages, openMessages } from './postgres-messages.ts'

type Handler = (message: string) => void
type Newcomer = ReturnType<typeof newcomerWith>['newcomer']

interface Given {
  channels: Channels
  log: Pick<Log, 'info' | 'warn'>
  /** The connection was lost and is back. Messages of the time between are not read. */
  onBack: () => void
}

/** A notification can be lost with the server. Looking regularly also finds a dead connection. */
const lookMillis = 1000

/** A caller is refused within a second, and the answer takes some of it. */
const answerMillis = 800

/**
 * Passes on what all instances publish, over a connection that reconnects by itself after outages.
 */
export class PostgresListener {
  readonly #url: string
  readonly #channels: Channels
  readonly #log: Given['log']
  readonly #onBack: Given['onBack']
  readonly #look: NodeJS.Timeout
  /** Handlers run outside the caller that asked for a look: it may be inside a transaction. */
  readonly #apart = AsyncLocalStorage.snapshot()
  #messages: Messages | null = null
  #newcomers: Newcomer[] = []
  #isReading = false
  #isAsked = false
  #isClosed = false
  #retry: NodeJS.Timeout | undefined

  constructor(url: string, { channels, log, onBack }: Given) {
    this.#url = url
    this.#channels = channels
    this.#log = log
    this.#onBack = onBack
    this.#look = setInterval(() => this.#ask(), lookMillis)
    this.#look.unref()
  }

  get isListening() {
    return this.#messages !== null
  }

  async open() {
    const calls = {
      wake: () => this.#ask(),
      lost: (cause: unknown) => this.#lose(messages, cause),
    }
    let messages: Messages | null = null
    messages = await openMessages(this.#url, calls)
    this.#messages = messages
    if (this.#isClosed) this.#leave(null)
  }

  async subscribe(channel: string, handler: Handler) {
    if (!this.#messages) throw new Error('The listening connection is down.')
    const { newcomer, entered } = newcomerWith(() => this.#channels.add(channel, handler))
    this.#newcomers.push(newcomer)
    this.#ask()
    return entered
  }

  close() {
    this.#isClosed = true
    clearInterval(this.#look)
    clearTimeout(this.#retry)
    this.#leave(new Error('The cache is closed.'))
  }

  /** One look at a time. A call meanwhile causes another look after this one. */
  #ask() {
    this.#isAsked = true
    if (!this.#isReading) this.#apart(() => void this.#readWhileAsked())
  }

  async #readWhileAsked() {
    this.#isReading = true
    while (this.#isAsked && this.#messages) {
      this.#isAsked = false
      await this.#readNew(this.#messages)
    }
    this.#isReading = false
  }

  /**
   * New subscribers enter between two looks, so they miss no later message and get no earlier one.
   */
  async #readNew(messages: Messages) {
    const newcomers = this.#newcomers.splice(0)
    try {
      while (await this.#readPage(messages));
      for (const { enter } of newcomers) enter()
    } catch (error) {
      for (const { refuse } of newcomers) refuse(error)
      this.#lose(messages, error)
    }
  }

  async #readPage(from: Messages) {
    const { messages, hasMore } = await from.read(this.#channels.names)
    for (const { channel, message } of messages) this.#channels.deliver(channel, message)
    return hasMore
  }

  #lose(messages: Messages | null, cause: unknown) {
    if (this.#isClosed || !messages || messages !== this.#messages) return
    this.#log.warn({ err: cause }, 'the connection to the cache is lost')
    this.#leave(cause)
    this.#reopen(0)
  }

  #leave(cause: unknown) {
    this.#messages?.close()
    this.#messages = null
    for (const { refuse } of this.#newcomers.splice(0)) refuse(cause)
  }

  #reopen(attempt: number) {
    if (this.#isClosed) return
    // Random, so that instances do not reconnect all at once.
    const millis = Math.min(50 * 2 ** attempt, 1000) * (0.5 + Math.random() / 2)
    const retry = () =>
      this.open().then(
        () => {
          this.#log.info('the connection to the cache is back')
          if (!this.#isClosed) this.#onBack()
        },
        () => this.#reopen(attempt + 1),
      )
    this.#retry = setTimeout(() => void retry(), millis)
    this.#retry.unref()
  }
}

/** A caller that waits to subscribe, for a limited time. */
function newcomerWith<Leave>(add: () => Leave) {
  const { promise: entered, resolve, reject } = Promise.withResolvers<Leave>()
  let isWaiting = true
  const refuse = (cause: unknown) => {
    isWaiting = false
    clearTimeout(limit)
    reject(cause)
  }
  const enter = () => {
    clearTimeout(limit)
    if (isWaiting) resolve(add())
  }
  const late = new Error('The database did not answer in time.')
  const limit = setTimeout(refuse, answerMillis, late)
  return { newcomer: { enter, refuse }, entered }
}
