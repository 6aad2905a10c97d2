import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../../scripts/browser/launch-browser.ts'
import { startTestWeb, type TestWeb } from '../test-browser.ts'
import type { PageGlobals } from '../test-react-entry.ts'
import { startReactPage } from '../test-react-page.ts'

type CreationOptions = Parameters<PageGlobals['makePasskey']>[0]

// The page's globals, for the functions that run in it.
declare const react: PageGlobals['react']
declare const web: PageGlobals['web']
declare const show: PageGlobals['show']
declare const askPasskey: PageGlobals['askPasskey']
declare const makePasskey: PageGlobals['makePasskey']
declare let told: unknown[]
declare let signals: AbortSignal[]

let tested: TestWeb
const site = await startReactPage((request) => tested.proxy.POST(request))
tested = await startTestWeb({ env: { NEXT_PUBLIC_SVC_APP_URL: site.url } })
const { api } = tested
const { browser, stop } = await launchBrowser()
afterAll(() => Promise.all([stop(), site.stop(), api.stop()]))

const context = await browser.newContext()
const page = await context.newPage()
const devtools = await context.newCDPSession(page)
await devtools.send('WebAuthn.enable')
// Its signatures are real, and it needs no touch.
const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
  options: {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  },
})

const user = await api.createUser()
beforeEach(async () => {
  await context.clearCookies()
  await page.goto(site.url)
  await page.waitForFunction('window.show')
  await page.evaluate(() => {
    told = []
    signals = []
  })
})

const click = (name: string) => page.getByRole('button', { name, exact: true }).click()
const see = (text: string) => page.getByText(text, { exact: true }).waitFor()
const wasTold = () => page.evaluate(() => told)
const eventually = <Value>(read: () => Promise<Value>) => expect.poll(read, { timeout: 10_000 })

async function signPageIn() {
  const tab = tested.browser()
  await tab.call('login', user)
  const cookies = [...tab.cookies].map(([name, value]) => ({ name, value, url: site.url }))
  await context.addCookies(cookies)
}

function showSignIn({ conditional = false } = {}) {
  return page.evaluate((isOffered) => {
    function SignIn({ onLeave }: { onLeave: () => void }) {
      const { isSupported, signingIn } = web.usePasskeySignIn({
        onAnswer: ({ mfaRequired }) => void told.push(mfaRequired),
        ...(isOffered && { conditional: true }),
      })
      const button = (name: string, onClick: () => unknown) =>
        react.createElement('button', { key: name, onClick: () => void onClick() }, name)
      return [
        react.createElement('input', { key: 'input', autoComplete: 'username webauthn' }),
        react.createElement('p', { key: 'p' }, `${isSupported} ${String(signingIn.error)}`),
        button('Sign in', () => signingIn.run().then((result) => told.push(result))),
        button('Leave', onLeave),
      ]
    }
    show(() => {
      const [isThere, setThere] = react.useState(true)
      return isThere ? react.createElement(SignIn, { onLeave: () => setThere(false) }) : 'gone'
    })
  }, conditional)
}

/** Keeps the browser's dialog open until it is aborted, as if the user never answered it. */
const hangDialogs = () =>
  page.evaluate(() => {
    navigator.credentials.get = ({ signal } = {}) =>
      new Promise((_, reject) => {
        if (!signal) return
        signals.push(signal)
        signal.addEventListener('abort', () => reject(signal.reason))
      })
  })
const open = () => page.evaluate(() => signals.filter(({ aborted }) => !aborted).length)

/** What the browser is asked with these options, and what it answers: as it converts them itself, and as we do. */
function converted(options: CreationOptions, { from = [] }: { from?: string[] } = {}) {
  const given = { options, from }
  return page.evaluate(async ({ options: creation, from: transports }) => {
    const asked: { publicKey?: object; found?: Credential | null }[] = []
    const seen = <Given extends { publicKey?: object }>(
      ask: (given?: Given) => Promise<Credential | null>,
    ) => {
      return async (query?: Given) => {
        const one: (typeof asked)[number] = { publicKey: query?.publicKey ?? {} }
        asked.push(one)
        one.found = await ask(query)
        return one.found
      }
    }
    const { credentials } = navigator
    credentials.create = seen(credentials.create.bind(credentials))
    credentials.get = seen(credentials.get.bind(credentials))
    // Bytes as text, which can leave the page.
    const plain = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (_, each) => {
          const isBytes = each instanceof ArrayBuffer || ArrayBuffer.isView(each)
          return isBytes ? Array.from(new Uint8Array(each as ArrayBuffer)) : each
        }),
      )
    const made = await makePasskey(creation)
    const request = {
      challenge: '-_-_AAECAwQFBgcICQ',
      timeout: 60_000,
      rpId: creation.rp.id,
      allowCredentials: [{ id: made?.id ?? '', type: 'public-key' as const, transports }],
      userVerification: 'required' as const,
    }
    const signed = await askPasskey(request)
    const again = { ...creation, excludeCredentials: request.allowCredentials }
    const excluded = await makePasskey(again).catch((error: Error) => error.name)
    const toJson = (found: unknown) => (found as PublicKeyCredential).toJSON()
    const [first, second, third] = asked
    const read = PublicKeyCredential
    return {
      asked: plain([first?.publicKey, second?.publicKey, third?.publicKey]),
      byBrowser: plain([
        read.parseCreationOptionsFromJSON(creation),
        read.parseRequestOptionsFromJSON(request),
        read.parseCreationOptionsFromJSON(again),
      ]),
      answers: plain([made, signed]),
      answersByBrowser: plain([toJson(first?.found), toJson(second?.found)]),
      names: [Object.keys(creation), Object.keys(request), Object.keys(again)],
      excluded,
    }
  }, given)
}

describe('a passkey', () => {
  // The authenticator would answer with any of its passkeys, and the API knows none of these.
  afterAll(() => devtools.send('WebAuthn.clearCredentials', { authenticatorId }))

  const creation: CreationOptions = {
    rp: { id: 'localhost', name: 'Tests' },
    // Every digit of base64url, and lengths that would need `=`.
    user: { id: 'AAECAwQFBgcICQoLDA0ODw', name: 'ada@example.com', displayName: 'Ada' },
    challenge: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_-w',
    pubKeyCredParams: [
      { type: 'public-key', alg: -7 },
      { type: 'public-key', alg: -257 },
    ],
    timeout: 60_000,
    excludeCredentials: [],
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }

  it('is asked for, and answers, as the browser itself converts both (WebAuthn Level 3, 5.1)', async () => {
    const found = await converted(creation, { from: ['internal', 'hybrid'] })
    expect(found.byBrowser).toMatchObject(found.asked as object)
    const known = [{ transports: ['internal', 'hybrid'] }]
    expect(found.asked).toMatchObject([
      {},
      { allowCredentials: known },
      { excludeCredentials: known },
    ])
    expect((found.asked as object[]).map((each) => Object.keys(each).toSorted())).toEqual(
      found.names.map((each) => each.toSorted()),
    )
    expect(found.answersByBrowser).toMatchObject(found.answers as object)
    expect(found.answers).toMatchObject([
      { response: { transports: ['internal'] }, authenticatorAttachment: 'platform' },
      { response: { userHandle: creation.user.id }, authenticatorAttachment: 'platform' },
    ])
    expect(found.excluded).toBe('PasskeyAlreadyRegisteredError')
  })
})

describe('usePasskeys', () => {
  it('lists, adds one under its name, renames it and takes it away', async () => {
    await signPageIn()
    await page.evaluate(() =>
      show(() => {
        const { passkeys, adding, renaming, removing } = web.usePasskeys()
        const [first] = passkeys ?? []
        const button = (name: string, onClick: () => unknown) =>
          react.createElement('button', { key: name, onClick: () => void onClick() }, name)
        return [
          react.createElement(
            'p',
            { key: 'p' },
            `has: ${passkeys?.map(({ label }) => label).join()}`,
          ),
          button('Add', () => adding.run('Laptop')),
          ...(first
            ? [
                button('Rename', () => renaming.run({ ...first, label: 'Mine' })),
                button('Remove', () => removing.run(first.passkeyId)),
              ]
            : []),
        ]
      }),
    )
    await see('has:')
    await click('Add')
    await see('has: Laptop')
    await click('Rename')
    await see('has: Mine')
    await click('Remove')
    await see('has:')
    await click('Add')
    await see('has: Laptop')
  })
})

describe('usePasskeySignIn', () => {
  it('signs in a user who has a passkey', async () => {
    await showSignIn()
    await see('true null')
    await click('Sign in')
    await eventually(wasTold).toEqual([false, true])
  })

  it('shows no error when the user cancels', async () => {
    await page.evaluate(() => {
      navigator.credentials.get = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    })
    await showSignIn()
    await click('Sign in')
    await eventually(wasTold).toEqual([false])
    await see('true null')
  })

  it('signs in by what the browser offers in a field, without a click', async () => {
    await showSignIn({ conditional: true })
    await eventually(wasTold).toEqual([false])
  })

  it('offers nothing more once the user is signed in, where the page takes its time to go', async () => {
    await showSignIn({ conditional: true })
    await eventually(wasTold).toContain(false)
    // The authenticator would answer once more within some ten milliseconds.
    await page.waitForTimeout(500)
    expect(await wasTold()).toEqual([false])
  })

  it('has what is offered in a field give way to the dialog of a click', async () => {
    await hangDialogs()
    await showSignIn({ conditional: true })
    await eventually(open).toBe(1)
    await click('Sign in')
    await eventually(() => page.evaluate(() => signals.length)).toBe(2)
    expect(await open()).toBe(1)
  })

  it('offers them again once the API would refuse the answer to the first offer', async () => {
    await hangDialogs()
    await page.evaluate(() => {
      const timeout = AbortSignal.timeout.bind(AbortSignal)
      // Calls have 30 s. The time for an answer is less than in life.
      AbortSignal.timeout = (millis) => timeout(millis === 30_000 ? millis : 100)
    })
    await showSignIn({ conditional: true })
    await eventually(() => page.evaluate(() => signals.length)).toBeGreaterThan(3)
    expect(await open()).toBeLessThanOrEqual(1)
  })

  it('takes back what it offers when the page is left', async () => {
    await hangDialogs()
    await showSignIn({ conditional: true })
    await eventually(open).toBe(1)
    await click('Leave')
    await eventually(open).toBe(0)
  })
})
