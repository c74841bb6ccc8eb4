/** True when month and day (two digits each) can be a date of some year. */
export function isPossibleMonthDay(month: string, day: string): boolean {
  const monthNumber = Number(month);
  const dayNumber = Number(day);
  if (monthNumber < 1 || monthNumber > 12 || dayNumber < 1) return false;
  return dayNumber <= (monthNumber === 2 ? 29 : [4, 6, 9, 11].includes(monthNumber) ? 30 : 31);
}
