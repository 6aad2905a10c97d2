import type { ServerResponse } from 'node:http'

const json = { 'content-type': 'application/json' }

/** What a server that isn't ours may answer. */
export const misbehaviours = {
  down: (response: ServerResponse) => void response.destroy(),
  /** It begins to answer, and a little more comes every now and then. */
  slow: (response: ServerResponse) => {
    response.writeHead(200, json)
    const drip = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(drip))
  },
  huge: (response: ServerResponse) => {
    const chunk = Buffer.alloc(64 * 1024, ' ')
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.writeHead(200, json).on('drain', write)
    write()
  },
  /** It goes on in a protocol that it was not asked for, and keeps the connection. */
  upgrading: ({ socket }: ServerResponse) =>
    void socket?.write(
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ),
  redirecting: (response: ServerResponse) => void response.writeHead(302, { location: '/' }).end(),
}
