import { readFileSync } from 'node:fs'
import { contractBundle, routeTable } from '@svc/core'
import type { DeviceContract } from '@svc/core/contract'
import { describe, expect, it } from 'vitest'
import { authContract } from './auth-contract.ts'
import { proofSigner } from './proof/client.ts'
import { authRouter } from './router.ts'

interface Shape {
  type?: string
  enum?: string[]
  required?: string[]
  properties?: Record<string, Shape>
  anyOf?: Shape[]
}

const contract = authRouter.options.contract as DeviceContract
const bundle = contractBundle(routeTable(authRouter), contract)
const text = `${JSON.stringify(bundle, null, 2)}\n`
const operation = (name: string) => bundle.operations.find((each) => each.name === name)
const typeOf = (name: string) => bundle.types[name] as Shape
const refer = (name: string) => ({ $ref: `#/types/${name}` })

/** Every member that a schema names, in all that is inside of it. */
function membersIn(schema: unknown): [name: string, member: Shape][] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = Object.entries((schema as Shape).properties ?? {})
  return [...own, ...Object.values(schema).flatMap(membersIn)]
}

describe('contract.json', () => {
  it('is what apps are built against: to update it, run "npm run contract -w @svc/auth"', () => {
    expect(readFileSync(new URL('../contract.json', import.meta.url), 'utf8')).toBe(text)
  })

  it('has the operations of devices, and is of the version that answers name (A-375)', () => {
    expect(bundle).toMatchObject({ contract: 'svc-auth', contractVersion: '0.13.0' })
    const names = bundle.operations.map(({ name, operationId, proof }) => {
      return `${name} = ${operationId}${proof ? ', proved' : ''}`
    })
    expect(names).toEqual([
      'core.time = coreTime',
      'auth.device.approve = approveDeviceAuth, proved',
      'auth.device.deny = denyDeviceAuth, proved',
      'auth.device.info = getDeviceAuthInfo, proved',
      'auth.device.poll = pollDeviceAuth',
      'auth.device.start = startDeviceAuth',
      'auth.enroll.login = login',
      'auth.enroll.oauthNative = oauthNative',
      'auth.enroll.register = register',
      'auth.keys.list = listKeys, proved',
      'auth.keys.revoke = revokeKey, proved',
      'auth.keys.revokeAll = revokeAllKeys, proved',
      'auth.keys.rotate = rotateKey, proved',
      'auth.mfa.status = mfaStatusOfDevice, proved',
      'auth.mfa.verify = mfaVerify',
    ])
  })

  it('asks for a body in every operation but the one that tells the time (A-207)', () => {
    const [time, ...others] = bundle.operations
    expect(time).toMatchObject({ method: 'GET', path: '/_core/time', proof: false, input: {} })
    for (const { method, input } of others) {
      expect({ method, input }).toMatchObject({
        method: 'POST',
        input: { body: expect.anything() },
      })
    }
  })

  it('has no operation of the page that a sign-out-everywhere link opens (A-225)', () => {
    const ids = bundle.operations.map(({ operationId }) => operationId)
    expect(ids).not.toContain('confirmRevokeAllLink')
    expect(ids).not.toContain('consumeRevokeAllLink')
    expect(text).not.toContain('revoke-all/')
  })
})

describe('the profile', () => {
  it('has the headers that a signer sends', async () => {
    const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'sign',
      'verify',
    ])
    const key = { keyId: 'key', algorithm: 'ES256', privateKey: pair.privateKey } as const
    const sign = proofSigner(key, { clientId: 'user' })
    const sent = await sign({ method: 'POST', url: 'https://api.example.com/_auth/keys/list' })
    const { headers, optionalHeaders } = bundle.profile as Record<string, Record<string, string>>
    const { contractVersion } = optionalHeaders ?? {}
    const named = [...Object.values(headers ?? {}), contractVersion]
    expect(new Set(Object.keys(sent))).toEqual(new Set(named))
    expect(bundle.profile).toMatchObject({ name: sent['x-svc-auth-profile'] })
  })
})

describe('a moment', () => {
  it('is in milliseconds wherever it is named so, in what is taken and in what is answered (A-011)', () => {
    const schemas = Object.values(authContract).map(({ operation: { input, answer } }) =>
      JSON.parse(JSON.stringify({ ...input, answer: answer?.schema })),
    )
    const moments = membersIn([...schemas, bundle]).filter(([name]) => name.endsWith('Millis'))
    expect(moments.length).toBeGreaterThan(20)
    for (const moment of moments) expect(moment).toMatchObject([moment[0], { type: 'integer' }])
  })

  it('has no other form in the contract of devices (A-011)', () => {
    const names = membersIn(bundle).map(([name]) => name)
    expect(names).toContain('createdAtMillis')
    expect(names.filter((name) => /(At|Date|Time|Seconds)$/.test(name))).toEqual([])
  })
})

describe('the types', () => {
  it('have the algorithm of a key as an enum of its own (A-025)', () => {
    expect(typeOf('KeyAlgorithm')).toEqual({ type: 'string', enum: ['ES256', 'RS256'] })
    for (const name of ['KeyListItem', 'NewDeviceKey']) {
      expect(typeOf(name)).toMatchObject({ properties: { algorithm: refer('KeyAlgorithm') } })
    }
  })

  it('tell of a key where it was registered from, and that two use it at once (A-376)', () => {
    expect(typeOf('KeyListItem').properties).toMatchObject({
      registeredIp: { type: 'string' },
      registeredUserAgent: { type: 'string' },
      concurrentUseAtMillis: { type: 'integer' },
    })
    expect(operation('auth.keys.list')?.answers).toMatchObject({
      200: { properties: { keys: { type: 'array', items: refer('KeyListItem') } } },
    })
  })

  it('say first of every sign-in whether it waits for a second factor; the rest may be missing (A-377)', () => {
    const { answer } = authContract.completePasswordReset.operation
    const results = ['LoginResult', 'NativeLoginResult', 'KeyedLoginResult'].map(typeOf)
    for (const result of [...results, answer?.schema as Shape]) {
      expect(result.properties).toHaveProperty('mfaRequired.type', 'boolean')
      expect(result.required).toContain('mfaRequired')
      for (const name of ['userId', 'publicId', 'email', 'phone', 'passwordChangeRequired']) {
        expect(result.properties).toHaveProperty(name)
        expect(result.required).not.toContain(name)
      }
    }
    const login = refer('LoginResult')
    expect(operation('auth.enroll.login')?.answers).toEqual({ 200: login, 202: login })
    const native = refer('NativeLoginResult')
    expect(operation('auth.enroll.oauthNative')?.answers).toEqual({ 200: native, 202: native })
    expect(operation('auth.device.poll')?.answers).toEqual({
      200: { anyOf: [refer('DevicePending'), refer('DeviceApproved')] },
    })
    // The approving user has proved the factor, so an approved device never waits for one.
    expect(typeOf('DeviceApproved').required).toContain('mfaRequired')
  })
})
