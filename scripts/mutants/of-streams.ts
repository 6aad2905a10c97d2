import type { Mutation } from './mutation.ts'

const model = {
  of: 'core',
  folder: 'streams/trials',
  test: 'model.test.ts',
  title: 'get every event once',
} as const

/** Guards that give a reconnected stream what it missed, and nothing else. */
export const ofStreams: Mutation[] = [
  {
    ...model,
    name: 'an event is written outside of its transaction',
    file: 'event-log/recorder.ts',
    find: '    if (!tx) return await this.#writeSoon(emission)\n',
    replace: '    return await this.#writeSoon(emission)\n',
  },
  {
    ...model,
    name: 'what is sent again passes no filter',
    file: 'streams/delivery/replays.ts',
    find: ' && selection.isFor(frame, stream)',
    replace: '',
  },
  {
    ...model,
    name: 'a revoked key resumes a stream',
    file: 'streams/access/stream-access.ts',
    find: '    if (standing === null) throw new UnauthorizedError()\n    return standing\n',
    replace: "    return standing ?? ''\n",
  },
  {
    ...model,
    name: 'a role that was lost is not asked about before events are sent again',
    file: 'streams/delivery/replays.ts',
    find: '      if (stream.isStale) replay.names = await replay.askAgain(replay.names)\n',
    replace: '',
    test: 'rights-on-replay.test.ts',
    title: 'not sent to a user whose role was taken away',
  },
  {
    ...model,
    name: 'a stream goes on at the end, without what it has missed',
    file: 'streams/router-streams.ts',
    find: '    if (from === undefined || !this.#replays) this.#join(stream, names, form)',
    replace: '    if (from !== 0 || !this.#replays) this.#join(stream, names, form)',
  },
  {
    ...model,
    name: 'an instance that is behind does not know an id of one that is not',
    file: 'streams/delivery/replays.ts',
    find: '    if (log && epoch === fanOut.epoch && from > fanOut.seq) await log.catchUp()\n',
    replace: '',
  },
  {
    of: 'core',
    name: 'a stream that stays open is not told of a gap',
    file: 'streams/router-feed.ts',
    find: "  if (loss === 'expired') return fanOut.tellGap(loss, position)\n",
    replace: "  if (loss === 'expired') return\n",
    folder: 'event-log',
    test: 'event-log.test.ts',
    title: 'what it has missed for good',
  },
]
