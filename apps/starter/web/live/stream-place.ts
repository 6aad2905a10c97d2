import { publicApiUrl } from '../env.ts'

/** Streams go to the API itself. Somebody watches them, so the first attempt comes sooner than it would. */
export const streamPlace = { host: publicApiUrl, reconnectDelay: 1000 }
