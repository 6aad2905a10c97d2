import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { served } from '../harness/served.ts'
import type { NewUser } from './workload.ts'

interface Scope {
  m1?: unknown
  m2?: unknown
  m3?: unknown
  m4?: number
  m5?: number
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const roles = new Set<unknown>(['admin', 'editor', 'viewer'])

function isNewUser(value: unknown): value is NewUser {
  if (typeof value !== 'object' || value === null) return false
  const user = value as Record<string, unknown>
  return (
    typeof user.id === 'string' &&
    uuid.test(user.id) &&
    typeof user.name === 'string' &&
    typeof user.email === 'string' &&
    email.test(user.email) &&
    Number.isInteger(user.age) &&
    typeof user.score === 'number' &&
    typeof user.active === 'boolean' &&
    roles.has(user.role) &&
    Array.isArray(user.tags) &&
    user.tags.every((tag) => typeof tag === 'string')
  )
}

function answer(response: ServerResponse, status: number, value: unknown) {
  const body = JSON.stringify(value)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

function createUser(request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const user: unknown = JSON.parse(Buffer.concat(chunks).toString())
    if (isNewUser(user)) answer(response, 200, { id: user.id, ok: true })
    else answer(response, 422, { error: 'invalid' })
  })
}

const server = createServer((request, response) => {
  const scope: Scope = {}
  scope.m1 = request.headers['x-one']
  scope.m2 = request.headers['x-two']
  scope.m3 = request.headers['x-three']
  scope.m4 = 4
  scope.m5 = 5
  const url = request.url ?? ''
  if (request.method === 'POST' && url === '/users') createUser(request, response)
  else if (url.startsWith('/users/')) answer(response, 200, { id: url.slice(7), ok: true })
  else answer(response, 404, { error: 'not found' })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') served(`http://127.0.0.1:${address.port}`)
})
