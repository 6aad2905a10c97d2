import { frequentWords } from './frequent-words.ts'

const keyboardRuns = [
  '12345678901234567890',
  '135792468',
  '147258369',
  '147852369',
  '159357',
  '789456123',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
  '1qazxsw23edcvfr4',
  'a1b2c3d4e5f6g7h8',
  'a1s2d3f4g5h6j7k8',
  'abcdefghijklmnopqrstuvwxyz',
  'aqwzsx',
  'asdfghjkl',
  'azertyuiop',
  'q1w2e3r4t5y6u7i8o9p0',
  'qazwsxedcrfvtgbyhnujmikolp',
  'qazxswedcvfrtgb',
  'qwaszx',
  'qwertyuiop',
  'qwertzuiop',
  'yxcvbnm',
  'z1x2c3v4b5n6',
  'zaq12wsxcde34rfv',
  'zaqxswcde',
  'zxcvbnm',
].flatMap((run) => [run, Array.from(run).toReversed().join('')])

const repetition = /^(.{1,6})\1+$/
const sameKey = /^(.)\1+$/
// `31121999`, `12311999`, `19991231`: birthdays.
const day = '(?:0[1-9]|[12]\\d|3[01])'
const month = '(?:0[1-9]|1[0-2])'
const dayAndMonth = `(?:${day}${month}|${month}${day})`
const year = '(?:19|20)\\d\\d'
const date = new RegExp(`^(?:${dayAndMonth}${year}|${year}${dayAndMonth})$`)
const ending =
  /^[._@#-]?(?:\d{1,2}|(\d)\1{2,3}|0?123(?:4(?:56?)?)?|4?321|007|(?:19[4-9]|20[0-3])\d|[a-z])?[!.?*@#$]{0,2}$/
const lookAlikes: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
// Beyond this the rules would refuse passwords that no attacker tries first.
const longestListed = 24

/**
 * Whether a password is one of those that guessing begins with. The list holds patterns of what
 * people do: a word, a walk over the keyboard, a date, a repetition, and the usual endings.
 */
export function isCommonPassword(password: string) {
  const guess = password.toLowerCase()
  if (guess.length > longestListed) return false
  return date.test(guess) || repetition.test(guess) || hasCommonStart(guess)
}

function hasCommonStart(guess: string) {
  const walks = keyboardWalkEnds(guess)
  const ends = Array.from(guess, (_, index) => index + 1)
  return ends.some(
    (end) =>
      (walks.has(end) || isFrequentWord(guess.slice(0, end))) && ending.test(guess.slice(end)),
  )
}

function isFrequentWord(text: string) {
  return frequentWords.has(text) || frequentWords.has(withoutLookAlikes(text))
}

function withoutLookAlikes(text: string) {
  return Array.from(text, (character) => lookAlikes[character] ?? character).join('')
}

/**
 * Where a walk over the keyboard may end: `qwerty`, `123qweasd`, `111222`, each step of at least
 * three keys.
 */
function keyboardWalkEnds(text: string) {
  const ends = new Set([0])
  // A Set also visits values that are added during the loop.
  for (const start of ends) {
    for (let end = start + 3; isKeyboardRun(text.slice(start, end)); end += 1) {
      if (end > text.length) break
      ends.add(end)
    }
  }
  return ends
}

function isKeyboardRun(text: string) {
  return text.length >= 3 && (sameKey.test(text) || keyboardRuns.some((run) => run.includes(text)))
}
