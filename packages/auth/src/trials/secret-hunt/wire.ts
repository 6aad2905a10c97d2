/** A request and its answer, as they crossed the wire. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly headers: readonly [string, string][]
  readonly body: string
  readonly status: number
  readonly answered: { readonly headers: readonly [string, string][]; readonly body: string }
}

/** Keeps everything that this process sends and is answered, and every key pair that is made in it. */
export function tapWire() {
  const exchanges: Exchange[] = []
  const keys: CryptoKey[] = []
  const { fetch } = globalThis
  const generateKey = crypto.subtle.generateKey.bind(crypto.subtle)

  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const body = typeof init?.body === 'string' ? init.body : await request.clone().text()
    const answer = await fetch(input, withAddress(init))
    const answered = { headers: [...answer.headers], body: await answer.clone().text() }
    const { method, url, headers } = request
    exchanges.push({ method, url, headers: [...headers], body, status: answer.status, answered })
    return answer
  }
  // Its overloads differ in the algorithm alone; the tests make key pairs.
  const generating = async (...given: Parameters<typeof generateKey>) => {
    const pair = (await generateKey(...given)) as unknown as CryptoKeyPair
    keys.push(pair.privateKey)
    return pair
  }
  crypto.subtle.generateKey = generating as unknown as typeof generateKey

  return {
    exchanges,
    keys,
    untap() {
      globalThis.fetch = fetch
      crypto.subtle.generateKey = generateKey
    },
  }
}

let sent = 0

/** Each from an address of its own, so that limits count and let through. */
function withAddress(init: RequestInit = {}): RequestInit {
  sent += 1
  const headers = new Headers(init.headers)
  headers.set('x-forwarded-for', `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`)
  return { ...init, headers }
}
