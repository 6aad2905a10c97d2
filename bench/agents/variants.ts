import { signRequest } from '@svc/core/client'
import type { LoadOrder } from '../harness/load.ts'
import type { AgentClient } from './clients.ts'

export type Kind = 'signed' | 'newest' | 'before' | 'calls' | 'rows' | 'sdk'

/** The requests of one kind. All of them do the same. */
export type Requests = Pick<LoadOrder, 'path' | 'headers' | 'each' | 'body'>

const text = 'A note of some words.'
const params = { name: 'writeNote', arguments: { text } }
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
const accept = { accept: 'application/json, text/event-stream' }

const newest = {
  path: '/mcp',
  headers: {
    ...accept,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'writeNote',
  },
  body: JSON.stringify({
    ...call,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
}
const before = {
  path: '/mcp',
  headers: { ...accept, 'mcp-protocol-version': '2025-11-25' },
  body: JSON.stringify({ ...call, params }),
}

const tokens = (clients: readonly AgentClient[]) =>
  clients.map(({ accessToken }) => ({ authorization: `Bearer ${accessToken}` }))

/** As many signed requests as are sent: each is good once. */
async function signed(url: string, clients: readonly AgentClient[], number: number) {
  const body = JSON.stringify({ text })
  const each: Record<string, string>[] = []
  while (each.length < number) {
    const more = clients.map(({ key }) =>
      signRequest(key, { method: 'POST', url: `${url}/notes`, body }),
    )
    each.push(...(await Promise.all(more)))
  }
  return { path: '/notes', headers: {}, each, body }
}

const newestCall = async (_url: string, clients: readonly AgentClient[]) => ({
  ...newest,
  each: tokens(clients),
})

export const requestsOf: Record<
  Kind,
  (url: string, clients: readonly AgentClient[], number: number) => Promise<Requests>
> = {
  signed,
  newest: newestCall,
  calls: newestCall,
  rows: newestCall,
  before: async (_url, clients) => ({ ...before, each: tokens(clients) }),
  sdk: async () => newest,
}
