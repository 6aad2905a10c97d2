const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Whether an address is on this machine. */
export function isLoopback({ hostname }: URL) {
  return loopback.test(hostname)
}
