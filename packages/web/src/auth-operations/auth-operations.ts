import { authEffects } from '@svc/auth'
import type { AnyContract, BrowserEffect, BrowserEffects } from '@svc/auth/contract'
import { askForRenewal, bind, renew } from './binding.ts'
import { askWhetherApproved, startWaiting } from './device-pending.ts'
import { revoke, rotate, signOut, signOutHere } from './keys.ts'
import { finalize, leaveForProvider, leaveToLink } from './oauth-pending.ts'
import type { Flow } from './outcome.ts'
import { askForFactor } from './second-factor.ts'
import { completeSetup, openSetup, setupNamed } from './setup.ts'
import { signIn, verifySecondFactor } from './sign-in.ts'

export { withKnownBrowser } from './known-browser.ts'
export { pendingOAuth } from './oauth-pending.ts'
export { jsonOf, type Outcome, type Turn } from './outcome.ts'
export { pendingSignIn } from './second-factor.ts'
export { setupNamed } from './setup.ts'

/** An operation that doesn't change the session. It is only signed. */
export const pass: Flow = async ({ call, next }) => ({ answer: await next(call) })

type SetupEffect = `${'opens' | 'finishes'} setup ${string}`

/** What the proxy does, by the name that a contract has for it. */
const flowOf: Readonly<Record<Exclude<BrowserEffect, SetupEffect>, Flow>> = {
  'signs in': signIn,
  'signs out': signOut,
  'signs out here': signOutHere,
  'ends keys': revoke,
  'rotates the key': rotate,
  'takes a foreign key': pass,
  'asks for the second factor': askForFactor,
  'proves the second factor': verifySecondFactor,
  'shows a code': startWaiting,
  'asks with the code': askWhetherApproved,
  'leaves for a provider': leaveForProvider,
  'leaves to link': leaveToLink,
  'comes back from a provider': finalize,
  'binds the session': bind,
  'asks to renew the session': askForRenewal,
  'renews the session': renew,
}

function flowFor(effect: BrowserEffect): Flow {
  const [, step, setup] = /^(opens|finishes) setup (.*)$/.exec(effect) ?? []
  if (setup === undefined) return flowOf[effect as keyof typeof flowOf] // all others are in it
  return step === 'opens' ? openSetup(setupNamed(setup)) : completeSetup(setupNamed(setup))
}

/**
 * What the proxy does around operations, by their names: those of the service, and those of the
 * application's further contracts. All others are only signed.
 */
export function flowsOf(contracts: readonly AnyContract[]): ReadonlyMap<string, Flow> {
  const all = [authEffects, ...contracts.map(effectsOf)]
  return new Map(
    all.flatMap((effects) =>
      Object.entries<BrowserEffect>(effects).map(([name, effect]) => [name, flowFor(effect)]),
    ),
  )
}

function effectsOf({ name, operations, browser }: AnyContract): BrowserEffects {
  const twice = Object.keys(operations).filter((each) => Object.hasOwn(authEffects, each))
  if (twice.length === 0) return browser
  throw new Error(
    `authInterceptors: the contract ${name} has the operation ${twice.join(', ')}, as sign-in has. Give it another name.`,
  )
}
