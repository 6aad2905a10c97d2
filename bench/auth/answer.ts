import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { served } from '../harness/served.ts'

export function answer(response: ServerResponse, status: number, value: unknown) {
  const body = JSON.stringify(value)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

/** Opens a port and tells the bench. Port 0 means any. */
export function listen(server: Server, port = 0) {
  server.listen(port, '127.0.0.1', () => {
    const address = server.address() as AddressInfo // a port, not a pipe
    served(`http://127.0.0.1:${address.port}`)
  })
}
