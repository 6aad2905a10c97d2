import { headOf, shownPlace } from './place.ts'

// Loaded into the API's process before its main file.

const frame = /\n {4}at .*/g

/** The place in a file with invalid code, the line there, and why. */
function syntaxFailure(stack: string) {
  const place = headOf(stack)
  if (place === null) return null
  const lines = stack.slice(place.length + 1).split('\n')
  const text = lines.filter((line) => line.trim() !== '').join('\n')
  return `${shownPlace(place)}\n${text.replace(/^SyntaxError \[\w+\]/m, 'SyntaxError')}\n`
}

/**
 * If a file does not compile, its own code is in no frame. If it is, running code has thrown the
 * error.
 */
function isOfNodeAlone(stack: string) {
  return (stack.match(frame) ?? []).every((each) => each.includes('node:'))
}

process.on('uncaughtExceptionMonitor', (error) => {
  // The application may want to handle it itself.
  if (!(error instanceof SyntaxError) || process.listenerCount('uncaughtException') > 0) return
  const { stack = '' } = error
  if (!isOfNodeAlone(stack)) return
  // For JavaScript, only Node knows the place, and prints it before the stack.
  error.stack = stack.replaceAll(frame, '')
  const failure = syntaxFailure(error.stack)
  if (failure === null) return
  process.stderr.write(failure)
  process.exit(1)
})
