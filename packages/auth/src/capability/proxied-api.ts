import type { Api, CallOptions, Outcome } from '@svc/core/client'
import type { KeyRegistration } from '../device-key/device-key.ts'
import type { BrowserEffect } from './browser-effect.ts'
import type { AnyContract, EffectsOf, OperationsOf } from './define-contract.ts'

/** The operations that register a key which the proxy makes. */
type MakesKey =
  | 'signs in'
  | 'rotates the key'
  | `finishes setup ${string}`
  | 'shows a code'
  | 'leaves for a provider'
  | 'comes back from a provider'
  | 'renews the session'

/** What the proxy adds to a body, and keeps in a cookie that no script reads. */
interface Kept {
  'asks for the second factor': 'challenge'
  'proves the second factor': 'challenge'
  'asks with the code': 'deviceCode'
  'leaves for a provider': 'nonce'
  'leaves to link': 'nonce'
  'comes back from a provider': 'pendingToken'
  'asks to renew the session': 'expiredKeyId'
  'renews the session': 'expiredKeyId'
}

/** All operations for which the proxy adds or removes something. */
type Rewriting = MakesKey | keyof Kept | `opens setup ${string}`

type KeptIn<Effect> = Effect extends `finishes setup ${string}`
  ? 'setupSecret'
  : Effect extends keyof Kept
    ? Kept[Effect]
    : never

type GivenIn<Effect> = KeptIn<Effect> | (Effect extends MakesKey ? keyof KeyRegistration : never)

/** Any call of a client. */
interface AnyCall {
  readonly call: (...args: never[]) => Promise<unknown>
  readonly try: (...args: never[]) => Promise<unknown>
}

type InputOf<Direct extends AnyCall> = NonNullable<Parameters<Direct['call']>[0]>
type AnswerOf<Direct extends AnyCall> = Awaited<ReturnType<Direct['call']>>
type RefusalOf<Direct extends AnyCall> = Extract<
  Awaited<ReturnType<Direct['try']>>,
  { ok: false; error: unknown }
>['error']

// The proxy overwrites a key that a page sends. Sending one still compiles if the key is required.
type ProxiedBody<Body, Effect> = Omit<Body, GivenIn<Effect>> &
  (Body extends KeyRegistration ? Partial<KeyRegistration> : unknown)

type ProxiedInput<Input, Effect> = 'body' extends keyof Input
  ? Omit<Input, 'body'> & { body: ProxiedBody<NonNullable<Input['body']>, Effect> }
  : Input

/** The token of a known browser stays with the proxy. */
export type Shown<Given> = Given extends { knownBrowser?: unknown }
  ? WithoutSecret<Omit<Given, 'knownBrowser'>>
  : WithoutSecret<Given>

/** If a sign-in waits for the second factor, the proxy keeps its secret. */
type WithoutSecret<Given> = Given extends { mfaRequired: boolean } & { challenge?: infer Challenge }
  ? 'challenge' extends keyof Given
    ? Omit<Given, 'challenge'> & { challenge?: Omit<NonNullable<Challenge>, 'secret'> }
    : Given
  : Given

type ShownBy<Effect, Given> = Effect extends `opens setup ${string}`
  ? Omit<Given, 'setupSecret' | 'setupExpiresAt'>
  : Effect extends 'shows a code'
    ? Omit<Given, 'deviceCode'> & { fingerprintPrefix: string }
    : Shown<Given>

/** An operation without what the proxy adds, or keeps. */
export interface ProxiedCall<Direct extends AnyCall, Effect> {
  readonly call: (
    input: ProxiedInput<InputOf<Direct>, Effect>,
    options?: CallOptions,
  ) => Promise<ShownBy<Effect, AnswerOf<Direct>>>
  readonly try: (
    input: ProxiedInput<InputOf<Direct>, Effect>,
    options?: CallOptions,
  ) => Promise<Outcome<ShownBy<Effect, AnswerOf<Direct>>, RefusalOf<Direct>>>
}

type Proxied<Direct, Effect> = Effect extends BrowserEffect & Rewriting
  ? Direct extends AnyCall
    ? ProxiedCall<Direct, Effect>
    : never
  : Direct

type ProxiedBy<Direct, Effects> = {
  readonly [Name in keyof Direct]: Name extends keyof Effects
    ? Proxied<Direct[Name], Effects[Name]>
    : Direct[Name]
}

/** Contracts as a browser calls them: the web proxy makes the keys that their operations register, and keeps secrets. */
export type ProxiedApi<Contract extends AnyContract> = ProxiedBy<
  Api<OperationsOf<Contract>>,
  EffectsOf<Contract>
>
