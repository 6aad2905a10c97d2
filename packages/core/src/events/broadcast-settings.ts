interface Options {
  multiInstance?: boolean
  channelPrefix?: string
}

interface Settings {
  readonly events?: { readonly options: Options }
  readonly websockets?: { readonly options: Options }
}

/** One setting for both routers: that of the first one which has it. */
export function broadcastSettings(
  { events, websockets }: Settings,
  env: { SVC_SSE_CHANNEL_PREFIX: string },
) {
  const { options: first } = events ?? {}
  const { options: second } = websockets ?? {}
  return {
    multiInstance: first?.multiInstance ?? second?.multiInstance ?? true,
    channelPrefix: first?.channelPrefix ?? second?.channelPrefix ?? env.SVC_SSE_CHANNEL_PREFIX,
  }
}
