import { ApiUnreachableError } from '../call/errors.ts'
import type { Notice } from './notice.ts'

/** The messages between tabs. */
export type Word =
  /** An open tab, and the events that it asks for. */
  | { readonly say: 'want'; readonly tab: string; readonly events: readonly string[] }
  | { readonly say: 'leave'; readonly tab: string }
  /** A new leader asks which tabs are there. */
  | { readonly say: 'who' }
  /** The state of the connection; with a tab, only for that one. */
  | { readonly say: 'notice'; readonly notice: Notice; readonly tab?: string }
  /**
   * The server refuses the connection, perhaps because of an event that one of the tabs asks for.
   */
  | { readonly say: 'part' }

/** Whether the browser has locks and messages for the tabs of one origin. */
export function tabsCanTalk(): boolean {
  return globalThis.navigator?.locks !== undefined && globalThis.BroadcastChannel !== undefined
}

export class TabChannel {
  readonly #channel: BroadcastChannel

  constructor(name: string, hear: (word: Word) => void) {
    // By its full name: for Next's Edge runtime, the compiler warns of the short one.
    this.#channel = new globalThis.BroadcastChannel(name)
    // Another version of the page, or a script that has found the name, may send messages that no
    // tab of this version sends.
    this.#channel.addEventListener('message', ({ data }) => {
      if (isWord(data)) hear(revived(data))
    })
  }

  say(word: Word) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin anyway
    this.#channel.postMessage(cloneable(word))
  }

  close() {
    this.#channel.close()
  }
}

/** Only the text of an error can be sent. Its cause might even make sending fail. */
function cloneable(word: Word): unknown {
  if (word.say !== 'notice' || word.notice.type !== 'error' || !word.notice.error) return word
  return { ...word, notice: { type: 'error', error: { message: word.notice.error.message } } }
}

function revived(word: Word): Word {
  if (word.say !== 'notice' || word.notice.type !== 'error' || !word.notice.error) return word
  const { message } = word.notice.error
  return { ...word, notice: { type: 'error', error: new ApiUnreachableError({ message }) } }
}

function isWord(given: unknown): given is Word {
  if (!isRecord(given)) return false
  const { say, tab, events, notice } = given
  if (say === 'who' || say === 'part') return true
  if (say === 'leave') return typeof tab === 'string'
  if (say === 'want') return typeof tab === 'string' && isNames(events)
  return say === 'notice' && (tab === undefined || typeof tab === 'string') && isNotice(notice)
}

function isNotice(given: unknown) {
  if (!isRecord(given)) return false
  const { type, attempt, opened, message, gap, error, id } = given
  if (id !== undefined && typeof id !== 'string') return false
  if (type === 'connecting') return typeof attempt === 'number'
  if (type === 'open') return isRecord(opened) && isNames(opened.events)
  if (type === 'message') return isRecord(message) && typeof message.event === 'string'
  if (type === 'gap') return isRecord(gap) && typeof gap.reason === 'string'
  if (type === 'reached') return id !== undefined
  if (type === 'messageError') return isRecord(error)
  return type === 'error' && (error === undefined || isRecord(error))
}

function isNames(given: unknown) {
  return Array.isArray(given) && given.every((each) => typeof each === 'string')
}

function isRecord(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null
}
