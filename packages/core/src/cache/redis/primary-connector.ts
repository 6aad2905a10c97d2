import { createConnection, Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { AbstractConnector, type RedisOptions } from 'ioredis'
import type { RedisNode } from './address.ts'

type Connector = NonNullable<RedisOptions['Connector']>

interface Given {
  secure: boolean
  find: () => Promise<RedisNode>
  /** From now on, the connection leads there. */
  onFound: (node: RedisNode) => void
}

/** A connection that was ended has this long to close. */
const closingMillis = 2000

/**
 * Looks for the primary each time that a connection is opened. The client's own connector for
 * Sentinels may give up.
 */
export function primaryConnector({ secure, find, onFound }: Given): Connector {
  async function open() {
    const node = await find()
    onFound(node)
    return secure ? connectTls(node) : createConnection(node)
  }

  return class PrimaryConnector extends AbstractConnector {
    constructor() {
      super(closingMillis)
    }

    /** A replica that is not the primary yet, or no longer, would refuse all writes. */
    override check({ role }: { role?: string }) {
      return role === undefined || role === 'master'
    }

    override async connect() {
      this.connecting = true
      let stream: Socket
      try {
        stream = await open()
      } catch (error) {
        this.#fail(error)
        // If this rejected, the client would give up for good. After a closed socket, it tries
        // again.
        stream = new Socket().destroy()
      }
      stream.once('error', (error) => this.#fail(error))
      this.stream = this.connecting ? stream : stream.destroy()
      return this.stream
    }

    #fail(error: unknown) {
      this.firstError = error as Error
    }
  }
}
