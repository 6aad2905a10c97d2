/** The server's time, as a client knows it: the local clock's until `sync` has asked. */
export interface ServerClock {
  /** How far the server's clock is ahead of the local one. */
  readonly offsetMillis: number
  nowMillis(): number
  /** Asks the server. True if it answered; otherwise the offset stays as it is. */
  sync(): Promise<boolean>
}

export interface ServerClockOptions {
  /** Where the API is. */
  baseUrl: string
  fetch?: typeof fetch
}

// A call waits for the answer, which costs the server nothing.
const longestWaitMillis = 5_000

/** Learns from `GET /_core/time` how wrong the local clock is. It asks nothing before `sync`. */
export function createServerClock(options: ServerClockOptions): ServerClock {
  let offsetMillis = 0
  let asking: Promise<boolean> | undefined
  const learn = async () => {
    const learned = await askOffset(options)
    if (learned !== null) offsetMillis = learned
    return learned !== null
  }
  return {
    get offsetMillis() {
      return offsetMillis
    },
    nowMillis: () => Date.now() + offsetMillis,
    // Refusals come in crowds. One question is enough for all of them.
    sync: () => {
      asking ??= learn().finally(() => {
        asking = undefined
      })
      return asking
    },
  }
}

async function askOffset({ baseUrl, fetch: fetchOf = fetch }: ServerClockOptions) {
  const asked = Date.now()
  const serverTimeMillis = await askTime(`${baseUrl.replace(/\/$/, '')}/_core/time`, fetchOf)
  if (serverTimeMillis === null) return null
  // The server read its clock at some time between question and answer: the middle is the best
  // guess.
  return Math.round(serverTimeMillis - (asked + Date.now()) / 2)
}

/** The server's time, or null if the server can't be reached or is another one. */
async function askTime(url: string, fetchOf: typeof fetch) {
  try {
    const answer = await fetchOf(url, {
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(longestWaitMillis),
    })
    const { serverTimeMillis } = (await answer.json()) as { serverTimeMillis?: unknown }
    return Number.isSafeInteger(serverTimeMillis) ? (serverTimeMillis as number) : null
  } catch {
    return null
  }
}
