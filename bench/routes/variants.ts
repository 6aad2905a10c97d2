import { newUser, refusedUser } from './workload.ts'

export interface Variant {
  name: string
  label: string
  validates: boolean
  post: string
  get?: string
  /** The envelope the peer's own client puts around an input. */
  envelope?(input: unknown): unknown
}

export const variants: Variant[] = [
  { name: 'svc', label: 'Svc', validates: true, post: '/users', get: '/users/42' },
  {
    name: 'node-http',
    label: 'node:http, hand check',
    validates: true,
    post: '/users',
    get: '/users/42',
  },
  {
    name: 'fastify',
    label: 'Fastify, its schemas, 5 hooks',
    validates: true,
    post: '/users',
    get: '/users/42',
  },
  {
    name: 'hono-bare',
    label: 'Hono, no validation, no middleware',
    validates: false,
    post: '/users',
    get: '/users/42',
  },
  {
    name: 'hono',
    label: 'Hono, no validation',
    validates: false,
    post: '/users',
    get: '/users/42',
  },
  { name: 'hono-typebox', label: 'Hono, typebox compiled', validates: true, post: '/users' },
  { name: 'hono-zod', label: 'Hono, zod-validator', validates: true, post: '/users' },
  { name: 'elysia', label: 'Elysia on Node', validates: true, post: '/users' },
  {
    name: 'orpc',
    label: 'oRPC on Node, zod',
    validates: true,
    post: '/rpc/createUser',
    envelope: (input) => ({ json: input }),
  },
  { name: 'trpc', label: 'tRPC on Hono, zod', validates: true, post: '/trpc/createUser' },
]

export function bodyOf(variant: Variant, accepted = true) {
  const input = accepted ? newUser : refusedUser
  return JSON.stringify(variant.envelope ? variant.envelope(input) : input)
}
