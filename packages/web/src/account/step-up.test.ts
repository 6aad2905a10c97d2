import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../../scripts/browser/launch-browser.ts'
import { startTestWeb } from '../test-browser.ts'
import { testOperations } from '../test-operations.ts'
import type { PageGlobals } from '../test-react-entry.ts'
import { startReactPage } from '../test-react-page.ts'

// The page's globals, for the functions that run in it.
declare const react: PageGlobals['react']
declare const auth: PageGlobals['auth']
declare const web: PageGlobals['web']
declare const show: PageGlobals['show']
declare let told: unknown[]

const code = '123456'
const password = 'the right one'
const refused = (status: number, __type: string) => ({ status, body: { __type } })

/** Whether the factor is proved, and whether the user has signed in lately. */
let isProved = false
let isRecent = true
/** What has reached the operations, in turn. */
let asked: string[] = []

/** An operation that needs the factor, and a sign-in that is not long ago. */
const guarded = (name: string) => ({
  [name]: () => {
    asked.push(name)
    if (!isProved) return refused(403, 'StepUpRequiredError')
    return isRecent
      ? { body: { recoveryCodes: [] } }
      : refused(403, 'RecentAuthenticationRequiredError')
  },
})

const { router, routeMap, seen } = testOperations({
  ...guarded('mfaRegenerateRecoveryCodes'),
  ...guarded('revokePasskey'),
  ...guarded('mfaDisable'),
  mfaStepUpOptions: () => refused(400, 'MfaNotEnrolledError'),
  mfaStepUp: ({ body }) => {
    asked.push('mfaStepUp')
    isProved = body.code === code
    return isProved ? { body: {} } : refused(401, 'MfaVerificationFailedError')
  },
  proveRecentOptions: () => refused(404, 'PasskeyNotFoundError'),
  proveRecent: ({ body }) => {
    asked.push('proveRecent')
    isRecent = body.password === password || body.code === code
    return isRecent ? { body: {} } : refused(401, 'InvalidCredentialsError')
  },
  sendVerificationCode: () => ({ body: { success: true, expiresAt: '' } }),
})
const { api, proxy } = await startTestWeb({ router, routeMap })
const site = await startReactPage((request) => proxy.POST(request))
const { browser, stop } = await launchBrowser()
afterAll(() => Promise.all([stop(), site.stop(), api.stop()]))

const page = await browser.newPage()
await page.goto(site.url)
await page.waitForFunction('window.show')
// A GET, which these operations are not.
await page.route('**/api/rpc/getAuthSession*', (route) =>
  route.fulfill({ json: { hasPassword: true, email: 'ada@example.com', emailVerified: true } }),
)

const click = (name: string) => page.getByRole('button', { name, exact: true }).click()
const see = (text: string) => page.getByText(text, { exact: true }).waitFor()
const wasTold = () => page.evaluate(() => told)
const eventually = <Value>(read: () => Promise<Value>) => expect.poll(read, { timeout: 10_000 })
const dialogs = () => page.getByRole('dialog').count()

/** Three actions, below a provider whose dialog has a button for each thing to be given. */
async function showActions({ isProvided = true } = {}) {
  await page.evaluate((provided) => {
    const button = (name: string, onClick: () => unknown, disabled = false) =>
      react.createElement('button', { key: name, onClick: () => void onClick(), disabled }, name)
    function Actions() {
      const { regenerating } = web.useRecoveryCodes()
      const { disabling } = web.useMfaStatus({
        initial: { enrolled: true, methods: ['totp'], recoveryCodesRemaining: 0 },
      })
      const { removing } = web.usePasskeys({ initial: [] })
      // Once the refusal has reached the provider, which asks for the proof.
      const waiting = (error: unknown) => {
        setTimeout(() => told.push('waits'))
        throw error
      }
      const [one, other] = ['p1', 'p2'].map((passkeyId) =>
        web.useAction(async () => {
          await auth.authApi.revokePasskey.call({ body: { passkeyId } }).catch(waiting)
          return passkeyId
        }),
      )
      const tell = (run: Promise<unknown>) => run.then((result) => told.push(result))
      const errors = [regenerating, disabling, removing].map(({ error }) => (error as Error)?.name)
      return [
        button('Regenerate', () => tell(regenerating.run()), regenerating.isRunning),
        button('Disable', () => tell(disabling.run())),
        button('Remove', () => tell(removing.run('p1')), removing.isRunning),
        button('Two', () => [one, other].map((each) => each && tell(each.run()))),
        react.createElement('p', { key: 'errors' }, `errors: ${errors.join()}`),
      ]
    }
    const render: Parameters<typeof web.StepUpProvider>[0]['render'] = (dialog) => {
      const action = dialog.kind === 'factor' ? dialog.proving : dialog.confirming
      const kind =
        dialog.kind === 'factor'
          ? `factor ${dialog.canUsePasskey}`
          : `password ${dialog.ways?.hasPassword} ${dialog.ways?.codeTarget}`
      const give = (given: string) =>
        dialog.kind === 'factor'
          ? dialog.proving.run({ code: given })
          : dialog.confirming.run(given)
      return react.createElement(
        'dialog',
        { ref: (node: HTMLDialogElement | null) => node?.open || node?.showModal() },
        [
          react.createElement('p', { key: 'kind' }, kind),
          react.createElement('p', { key: 'error' }, `dialog: ${(action.error as Error)?.name}`),
          button('Give wrong', () => give('wrong')),
          button('Give code', () => give('123456')),
          button('Give password', () => give('the right one')),
          button('Send code', () => dialog.kind === 'password' && dialog.sending.run()),
          button(
            'Give sent code',
            () => dialog.kind === 'password' && dialog.confirmingByCode.run('123456'),
          ),
          button('Cancel', dialog.cancel),
        ],
      )
    }
    show(() => {
      const actions = react.createElement(Actions)
      return provided
        ? react.createElement(web.StepUpProvider, { render, children: actions })
        : actions
    })
  }, isProvided)
  await see('errors: ,,')
}

beforeEach(async () => {
  isProved = false
  isRecent = true
  asked = []
  await page.evaluate(() => {
    told = []
  })
})

describe('an action that is refused until the second factor is proved', () => {
  it('goes on by itself once it is, and the focus is back', async () => {
    await showActions()
    await click('Regenerate')
    await see('factor false')
    expect(await wasTold()).toEqual([])
    await click('Give code')
    await eventually(wasTold).toEqual([[]])
    await eventually(dialogs).toBe(0)
    expect(asked).toEqual(['mfaRegenerateRecoveryCodes', 'mfaStepUp', 'mfaRegenerateRecoveryCodes'])
    expect(await page.getByText('errors: ,,', { exact: true }).count()).toBe(1)
    await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe(
      'Regenerate',
    )
  })

  it('waits on after a wrong code, which the dialog tells', async () => {
    await showActions()
    await click('Regenerate')
    await click('Give wrong')
    await see('dialog: MfaVerificationFailedError')
    expect(await wasTold()).toEqual([])
    await click('Give code')
    await eventually(wasTold).toEqual([[]])
  })

  it('fails as before where the user cancels, or no provider is there to ask', async () => {
    await showActions()
    await click('Regenerate')
    await click('Cancel')
    await see('errors: StepUpRequiredError,,')
    expect([await wasTold(), await dialogs()]).toEqual([[null], 0])
    await showActions({ isProvided: false })
    await click('Regenerate')
    await see('errors: StepUpRequiredError,,')
    expect([await wasTold(), await dialogs()]).toEqual([[null, null], 0])
  })

  it('is asked for with others in one dialog, and all of them go on', async () => {
    await showActions()
    await click('Two')
    await eventually(wasTold).toEqual(['waits', 'waits'])
    expect(await dialogs()).toBe(1)
    await click('Give code')
    await eventually(wasTold).toEqual(['waits', 'waits', 'p1', 'p2'])
    await eventually(dialogs).toBe(0)
    expect(asked.filter((name) => name === 'mfaStepUp')).toHaveLength(1)
  })

  it('is not asked for again by the operation that was not content with it', async () => {
    await showActions()
    await click('Regenerate')
    await see('factor false')
    await page.route('**/api/rpc/mfaStepUp', (route) => route.fulfill({ status: 204 }))
    await click('Give code')
    await see('errors: StepUpRequiredError,,')
    await page.unroute('**/api/rpc/mfaStepUp')
    expect([await wasTold(), await dialogs()]).toEqual([[null], 0])
  })
})

describe('an action that is refused because the last sign-in was too long ago', () => {
  beforeEach(() => {
    isProved = true
    isRecent = false
  })

  it('goes on with the current password, however often it was wrong before', async () => {
    await showActions()
    await click('Remove')
    await see('password true ada@example.com')
    await click('Give wrong')
    await see('dialog: InvalidCredentialsError')
    await click('Give password')
    await eventually(wasTold).toEqual(['p1'])
    await eventually(dialogs).toBe(0)
    expect(seen.get('revokePasskey')?.body).toEqual({ passkeyId: 'p1' })
    expect(asked).toEqual(['revokePasskey', 'proveRecent', 'proveRecent', 'revokePasskey'])
  })

  it('goes on with both where both are asked for', async () => {
    isProved = false
    await showActions()
    await click('Remove')
    await see('factor false')
    await click('Give code')
    await see('password true ada@example.com')
    await click('Give password')
    await eventually(wasTold).toEqual(['p1'])
    expect(asked).toEqual([
      'revokePasskey',
      'mfaStepUp',
      'revokePasskey',
      'proveRecent',
      'revokePasskey',
    ])
  })

  it('goes on with a code, also if its operation takes other input', async () => {
    await showActions()
    await click('Disable')
    await see('password true ada@example.com')
    await click('Send code')
    await eventually(async () => seen.get('sendVerificationCode')?.body).toEqual({
      target: 'ada@example.com',
      targetType: 'email',
      purpose: 'login',
    })
    await click('Give sent code')
    await eventually(wasTold).toEqual([true])
    await eventually(dialogs).toBe(0)
  })

  it('fails as before if the user cancels', async () => {
    await showActions()
    await click('Disable')
    await see('password true ada@example.com')
    await click('Cancel')
    await see('errors: ,RecentAuthenticationRequiredError,')
    expect([await wasTold(), await dialogs()]).toEqual([[null], 0])
  })
})
