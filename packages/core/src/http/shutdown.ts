import type { Server } from 'node:http'

// A supervisor kills after 10 to 30 s; whatever has not been answered by now will not be.
const patienceMillis = 10_000

/** Takes no new connection and resolves when every request under way has its answer. */
export async function drain(http: Server) {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  // A connection that has just been answered is idle, and would be kept open for the next request.
  const sweep = setInterval(() => http.closeIdleConnections(), 50)
  const cut = setTimeout(() => http.closeAllConnections(), patienceMillis)
  http.closeIdleConnections()
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}
