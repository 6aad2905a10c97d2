import { createBoundSessionHandler } from './bound-session.ts'
import { Sealer } from './session/sealer.ts'
import { type TestBrowser, type TestWeb, testSecret } from './test-browser.ts'

const parameters = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RS256: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
}

type Algorithm = keyof typeof parameters

interface Options {
  algorithm?: Algorithm
  /** Variables of the web process that are other than those of the test. */
  env?: Record<string, string>
}

export interface ProofChanges {
  header?: object
  claims?: object
  key?: CryptoKeyPair
}

interface Asked {
  algorithms: string
  path: string
  challenge: string
}

/**
 * A browser that binds its session to a key of its own, as far as the web app sees it: it speaks the protocol of the
 * W3C draft, in the form that Chrome ships.
 */
export class BindingBrowser {
  readonly page: TestBrowser
  readonly algorithm: Algorithm
  /** What the web app asked for last, until that is done. */
  asked: Asked | null = null
  /** What the web app said that the session is. */
  session: Record<string, unknown> = {}
  readonly #pair: Promise<CryptoKeyPair>
  readonly #handler: ReturnType<typeof createBoundSessionHandler>

  constructor(web: TestWeb, { algorithm = 'ES256', env = {} }: Options = {}) {
    this.algorithm = algorithm
    this.page = web.browser(env)
    this.#pair = newPair(algorithm)
    this.#handler = createBoundSessionHandler({ env: { ...web.env, ...env } })
  }

  /** Calls as a page does, and notes when the web app asks for a key. */
  async call(name: string, body?: unknown) {
    const answer = await this.page.call(name, body)
    this.#note(answer)
    return answer
  }

  #note({ headers }: Response) {
    const header = headers.get('secure-session-registration')
    if (header === null) return
    const [, algorithms = '', path = '', challenge = ''] =
      /^\(([^)]*)\);path="([^"]*)";challenge="([^"]*)"$/.exec(header) ?? []
    this.asked = { algorithms, path, challenge }
  }

  /** Shows its key, for the challenge that came last. */
  async register(headers: Record<string, string> = {}) {
    const { path = '', challenge = '' } = this.asked ?? {}
    const answer = await this.send(path, {
      'secure-session-response': await this.proof(challenge, { header: await this.shown() }),
      ...headers,
    })
    if (answer.ok) {
      this.asked = null
      this.session = await answer.clone().json()
    }
    return answer
  }

  /** Gets another proof: it is challenged first, and signs then. */
  async refresh() {
    return this.answer(await this.challenge())
  }

  /** Asks for a challenge. */
  async challenge() {
    const answer = await this.send(this.refreshPath, this.named)
    if (answer.status !== 403) throw new Error(`No challenge: ${await answer.text()}`)
    const header = answer.headers.get('secure-session-challenge') ?? ''
    const [, challenge = '', id] = /^"([^"]*)";id="([^"]*)"$/.exec(header) ?? []
    if (id !== this.session['session_identifier']) throw new Error(`Of another session: ${header}`)
    return challenge
  }

  async answer(challenge: string, changes: ProofChanges = {}) {
    const proof = await this.proof(challenge, changes)
    return this.send(this.refreshPath, { ...this.named, 'secure-session-response': proof })
  }

  get refreshPath() {
    return String(this.session['refresh_url'])
  }

  /** How the browser says which session it means. */
  get named() {
    return { 'sec-secure-session-id': `"${String(this.session['session_identifier'])}"` }
  }

  async send(path: string, headers: Record<string, string> = {}) {
    const cookie = this.page.cookieHeader()
    const init = { method: 'POST', headers: { cookie, ...headers } }
    return this.page.keep(await this.#handler.POST(new Request(`http://web.test${path}`, init)))
  }

  async open(path: string) {
    const headers = { cookie: this.page.cookieHeader() }
    return this.#handler.GET(new Request(`http://web.test${path}`, { headers }))
  }

  /** The member of the header that shows its key. */
  async shown() {
    return { jwk: await publicJwk((await this.#pair).publicKey) }
  }

  async proof(challenge: string, { header, claims, key }: ProofChanges = {}) {
    const { privateKey } = key ?? (await this.#pair)
    const head = encoded({ alg: this.algorithm, typ: 'dbsc+jwt', ...header })
    const signed = `${head}.${encoded({ jti: challenge, ...claims })}`
    const bytes = new TextEncoder().encode(signed)
    const signature = await crypto.subtle.sign(parameters[this.algorithm], privateKey, bytes)
    return `"${signed}.${Buffer.from(signature).toString('base64url')}"`
  }
}

export function newPair(algorithm: Algorithm): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(parameters[algorithm], true, ['sign', 'verify'])
}

export async function publicJwk(key: CryptoKey) {
  const { kty, crv, x, y, n, e } = await crypto.subtle.exportKey('jwk', key)
  return kty === 'EC' ? { kty, crv, x, y } : { kty, n, e }
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A user who has signed in in such a browser. It has registered its key unless told not to. */
export async function signInBinding(web: TestWeb, options: Options & { unbound?: true } = {}) {
  const user = await web.api.createUser()
  const browser = new BindingBrowser(web, options)
  const signIn = await browser.call('login', user)
  if (!signIn.ok) throw new Error(await signIn.text())
  if (!options.unbound) {
    const answer = await browser.register()
    if (!answer.ok) throw new Error(await answer.text())
  }
  return { user, browser, signIn }
}

/** One that the web app would never give to a session that is bound. */
export async function challengeToRegister(browser: BindingBrowser) {
  const { keyId } = await (await browser.call('getAuthSession')).json()
  const content = { step: 'register', keyId } as const
  return new Sealer(testSecret).seal('session challenge', content, Date.now() + 60_000)
}
