import { ApiUnreachableError } from '../call/errors.ts'
import type { Notice } from './notice.ts'

/** What the tabs say to each other. */
export type Word =
  /** A tab that is there, and the events that it asks for. */
  | { readonly say: 'want'; readonly tab: string; readonly events: readonly string[] }
  | { readonly say: 'leave'; readonly tab: string }
  /** A new leader asks who is there. */
  | { readonly say: 'who' }
  /** What becomes of the connection; with a tab, for that one alone. */
  | { readonly say: 'notice'; readonly notice: Notice; readonly tab?: string }
  /** The server refuses the connection, perhaps for what one of the tabs asks for. */
  | { readonly say: 'part' }

/** Where a browser lets tabs of one origin agree and talk. */
export function tabsCanTalk(): boolean {
  return globalThis.navigator?.locks !== undefined && globalThis.BroadcastChannel !== undefined
}

export class TabChannel {
  readonly #channel: BroadcastChannel

  constructor(name: string, hear: (word: Word) => void) {
    this.#channel = new BroadcastChannel(name)
    this.#channel.addEventListener('message', ({ data }) => hear(revived(data as Word)))
  }

  say(word: Word) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin anyway
    this.#channel.postMessage(cloneable(word))
  }

  close() {
    this.#channel.close()
  }
}

/** Of an error nothing but its text survives the way, and its cause might not let it go at all. */
function cloneable(word: Word): unknown {
  if (word.say !== 'notice' || word.notice.type !== 'error' || !word.notice.error) return word
  return { ...word, notice: { type: 'error', error: { message: word.notice.error.message } } }
}

function revived(word: Word): Word {
  if (word.say !== 'notice' || word.notice.type !== 'error' || !word.notice.error) return word
  const { message } = word.notice.error
  return { ...word, notice: { type: 'error', error: new ApiUnreachableError({ message }) } }
}
