import specifications from '@asyncapi/specs'
import { asyncApi, documentedRoutes, openApi } from '@svc/core'
import { mailboxRouter } from '@svc/notification'
import { Compile } from 'typebox/schema'
import { describe, expect, it } from 'vitest'
import { authContract } from './auth-contract.ts'
import { proofRefusals } from './caller/contract.ts'
import type { Declared } from './capability/contract.ts'
import definition from './development.ts'
import * as events from './events.generated.ts'

interface Schema {
  $ref?: string
  type?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}

interface Content {
  content?: Record<string, { schema: Schema }>
  description?: string
  headers?: object
}

interface Operation {
  operationId: string
  summary?: string
  description?: string
  tags: string[]
  parameters?: { name: string; in: string; description?: string; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Content>
  security?: Record<string, string[]>[]
  'x-svc-permissions'?: string[]
}

interface Document {
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Record<string, { type: string; description?: string }> }
}

const info = { title: 'auth', version: '1.0.0' }
const plain = (document: unknown) => JSON.parse(JSON.stringify(document))
const mounted = definition.settings.router?.packages([mailboxRouter])
const served = mounted ? definition.routes(mounted) : definition
const document: Document = plain(openApi(documentedRoutes(served), info))
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.values(methods).map((operation) => ({ path, ...operation })),
)
const byName = new Map(operations.map((each) => [each.operationId, each]))
const ofContract = Object.entries<Declared>(authContract).map(([name, { access }]) => {
  const operation = byName.get(name)
  if (!operation) throw new Error(`${name} is not in the document.`)
  return { name, access, operation }
})

const types = 'string integer number boolean null object array'.split(' ')

/** The paths to members that say nothing of what they are. A record of anything is one on purpose. */
function untyped(schema: Schema, at: string): string[] {
  const { $ref, type, anyOf, items, properties = {} } = schema
  // Whether it leads somewhere is looked at below.
  if ($ref) return []
  if (anyOf) return anyOf.flatMap((each) => untyped(each, at))
  const isTyped = type !== undefined && types.includes(type)
  const inner = Object.entries(properties).flatMap(([name, each]) => untyped(each, `${at}.${name}`))
  return [...(isTyped ? [] : [at]), ...inner, ...(items ? untyped(items, `${at}[]`) : [])]
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(referencesIn)
  return '$ref' in value && typeof value.$ref === 'string' ? [value.$ref, ...inner] : inner
}

const at = (root: unknown, $ref: string) =>
  $ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], root)

describe('the OpenAPI document of the packages', () => {
  it('has every operation with its words, and a type for all that it answers', () => {
    for (const { operationId, summary, tags, responses } of operations) {
      expect(summary, operationId).toBeTruthy()
      expect(tags, operationId).toHaveLength(1)
      const answered = Object.values(responses).flatMap(({ content }) =>
        Object.values(content ?? {}),
      )
      const unknown = answered.flatMap(({ schema }) => untyped(schema, operationId))
      expect(unknown).toEqual([])
    }
    expect(byName.get('login')?.responses).toHaveProperty('202.content')
    expect(byName.get('redirectToProvider')?.responses).toHaveProperty('302.headers.Location')
  })

  it('says of every parameter, and of every field of a form, what it is', () => {
    const silent = operations.flatMap(({ operationId, parameters = [], requestBody }) => {
      const form = requestBody?.content?.['application/x-www-form-urlencoded']?.schema
      const fields = Object.entries(form?.properties ?? {}).map(([name, field]) => ({
        name,
        ...field,
      }))
      const all: { name: string; description?: string }[] = [...parameters, ...fields]
      return all.filter((each) => !each.description).map(({ name }) => `${operationId} ${name}`)
    })
    expect(silent).toEqual([])
  })

  it('says who may call, and that public operations need no credential', () => {
    for (const { name, access, operation } of ofContract) {
      const { security = [] } = operation
      expect(operation.security, name).toBeDefined()
      const isOpen = access === 'public' || access === 'setup'
      expect(security.length > 0, name).toBe(!isOpen)
      expect(
        security.some((each) => Object.keys(each).length === 0),
        name,
      ).toBe(access === 'optional')
      const [, permission] = /\bmay (.+)$/.exec(access) ?? []
      const permissions = permission ? [permission] : undefined
      expect(operation['x-svc-permissions'], name).toEqual(permissions)
    }
  })

  it('has the headers of a proof where the contract of devices takes one', () => {
    const proof = 'proofProfile proofClientId proofKeyId proofNonce proofIssuedAt proof'.split(' ')
    for (const { name, operation } of ofContract) {
      const { contract } = authContract[name as keyof typeof authContract].operation
      const ways = (operation.security ?? []).map((each) => Object.keys(each))
      const isProved = ways.some((way) => way.includes('proof'))
      expect(isProved, name).toBe(contract?.proof ?? false)
      if (isProved) expect(ways).toEqual([['requestJwt'], proof])
    }
  })

  it('has the refusals that guards add, each under the status of its class', () => {
    const refused = (name: string, status: number) =>
      byName.get(name)?.responses[status]?.description?.split(', ') ?? []
    for (const { name, access } of ofContract) {
      if (['public', 'setup'].includes(access) || name === 'registerOAuth2Client') continue
      expect(refused(name, 401), name).toContain('UnauthorizedError')
      expect(refused(name, 403), name).toContain('AccountDisabledError')
      if (access !== 'any-key') expect(refused(name, 403), name).toContain('ForbiddenError')
      if (access === 'step-up') expect(refused(name, 403), name).toContain('StepUpRequiredError')
      if (!access.startsWith('fresh')) continue
      for (const { name: refusal } of proofRefusals) {
        expect(refused(name, 403), name).toContain(refusal)
      }
    }
    expect(byName.get('login')?.responses[429]?.headers).toHaveProperty('Retry-After')
    // Clients of the protocol read nothing of ours.
    expect([400, 401, 429, 503].map((status) => refused('oauth2Token', status))).toEqual(
      Array.from({ length: 4 }, () => ['OAuth2Error']),
    )
  })

  it('is whole: names are unique, references lead somewhere, paths have their parameters', () => {
    expect(byName.size).toBe(operations.length)
    for (const $ref of referencesIn(document)) expect(at(document, $ref), $ref).toBeDefined()
    const schemes = Object.entries(document.components.securitySchemes)
    for (const [name, { type }] of schemes) expect(type, name).toBeOneOf(['http', 'apiKey'])
    const tags = new Set(document.tags.map(({ name }) => name))
    for (const operation of operations) {
      const { path, parameters = [], security = [], responses } = operation
      const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => name)
      expect([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(inPath)
      const named = new Set(schemes.map(([name]) => name))
      expect(security.flatMap(Object.keys).filter((name) => !named.has(name))).toEqual([])
      expect(operation.tags.every((tag) => tags.has(tag))).toBe(true)
      for (const [status, answer] of Object.entries(responses)) {
        expect(status).toMatch(/^(?:[1-5]\d\d|default)$/)
        expect(answer.description).toBeTruthy()
      }
    }
  })
})

describe('the AsyncAPI document of the package', () => {
  const streamed = plain(asyncApi(definition.settings, info))
  const { messages } = streamed.components as {
    messages: Record<string, { title?: string; description?: string; payload: Schema }>
  }

  it('is valid', () => {
    const official = Compile(specifications.schemasWithoutId['3.0.0'])
    expect(official.Check(streamed), JSON.stringify(official.Errors(streamed)[1][0])).toBe(true)
  })

  it('has every event with what it carries, and says when it leaves (A-351)', () => {
    const ours = Object.entries(messages).filter(
      ([name]) => !['connected', 'gap', 'ping'].includes(name),
    )
    expect(ours.map(([name, { title }]) => [name, title])).toEqual(
      Object.entries(events).map(([name, event]) => [name, event.name]),
    )
    for (const [name, { description, payload }] of ours) {
      expect(description, name).toMatch(/\.$/)
      expect(payload.properties, name).toBeDefined()
      expect(untyped(payload, name)).toEqual([])
    }
  })
})
