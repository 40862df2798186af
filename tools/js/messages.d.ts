// What `/messages/LANGUAGE.js` leaves for `webapp/static/messages.js`; a page in English has none.
declare var waymarkMessages:
  | { plural: (number: number) => number; sentences: Record<string, string | string[]> }
  | undefined;
