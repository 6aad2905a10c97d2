import type { ServerResponse } from 'node:http'

/** How a server that others run may fail. */
export type Misbehaviour = keyof typeof misbehaviours

export const misbehaviours = {
  down: (response: ServerResponse) => void response.destroy(),
  failing: (response: ServerResponse) => void response.writeHead(503).end('{}'),
  limited: (response: ServerResponse) => void response.writeHead(429).end('{}'),
  /** It takes the request, and says nothing. */
  silent: () => {},
  /** It begins to answer, and a little more comes every now and then. */
  slow: (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const drip = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(drip))
  },
  huge: (response: ServerResponse) => {
    const chunk = Buffer.alloc(64 * 1024, ' ')
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).on('drain', write)
    write()
  },
  redirecting: (response: ServerResponse) => void response.writeHead(302, { location: '/' }).end(),
  /** A page that says that it is what was asked for. */
  'not json': (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('<html></html>'),
  /** What was asked for, of another shape. */
  'other json': (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('["keys"]'),
} as const
