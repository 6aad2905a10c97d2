import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { ServiceUnavailableError } from '../../errors/contract.ts'
import { answerError, createTimeLimit, refuseOnSocket } from '../../http/http.ts'
import type { Infrastructure } from '../../infrastructure/infrastructure.ts'
import { requestIdOf } from '../../request/request.ts'

type Refuse = (error: unknown) => void

interface Settling {
  readonly done: () => void
  readonly refuse: Refuse
}

// Enough for a client that reads its answer to close its end. The others must not delay a shutdown.
const farewellMillis = 2000

/**
 * The sockets whose handshake is not complete. Nothing else knows them: for the HTTP server they
 * are gone already.
 */
export function createUpgrades(server: Infrastructure) {
  const refusals = new Set<Refuse>()
  const limit = createTimeLimit<Refuse>(server.handlerLimitMillis, (refuse) =>
    refuse(
      new ServiceUnavailableError({ message: 'The server took too long to answer. Try again.' }),
    ),
  )

  /** Refuses with the error that `open` throws. */
  function take(incoming: IncomingMessage, socket: Duplex, open: () => Promise<void>) {
    // The library listens from the handshake on. Before, an error without a listener would end the
    // process.
    socket.on('error', ignore)
    function answer(error: unknown) {
      const requestId = requestIdOf(incoming)
      const refusal = answerError(error, { incoming, requestId, server })
      if (!refusals.has(refuse)) return
      // RFC 6455, 4.4: a refused client learns which version is supported.
      const headers = { 'x-request-id': requestId, 'sec-websocket-version': '13' }
      refuseOnSocket(socket, refusal, headers)
      done()
      bidFarewell(socket)
    }
    const refuse: Refuse = (error) => {
      try {
        answer(error)
      } catch (unwritable) {
        // A field or a header of it can't be sent. Then it is a bug like any other, and must not
        // end the process.
        answer(unwritable)
      }
    }
    const entry = limit.start(refuse)
    const done = () => {
      limit.end(entry)
      refusals.delete(refuse)
    }
    refusals.add(refuse)
    void settle(open, { done, refuse })
  }

  function close() {
    for (const refuse of refusals) {
      refuse(
        new ServiceUnavailableError({ message: 'The server is shutting down. Connect again.' }),
      )
    }
  }

  return { take, close }
}

async function settle(open: () => Promise<void>, { done, refuse }: Settling) {
  try {
    await open()
    done()
  } catch (error) {
    refuse(error)
  }
}

/** A client that is still sending still gets the answer, but no client can stay for ever. */
function bidFarewell(socket: Duplex) {
  const cut = setTimeout(() => socket.destroy(), farewellMillis)
  socket.once('close', () => clearTimeout(cut))
  socket.resume()
}

// Not a closure: a listener made above would keep the whole request as long as the socket is open.
function ignore() {}
