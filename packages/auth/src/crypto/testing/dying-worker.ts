import { parentPort } from 'node:worker_threads'

parentPort?.on('message', () => {
  throw new Error('This thread dies when it is asked.')
})
