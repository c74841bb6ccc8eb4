const LOOK_BACK = 48;
const LOOK_AHEAD = 20;
const OTHER_NUMBER =
  'order|invoice|ticket|tracking|case|ref|reference|confirmation|booking|reservation|pnr|isbn|issn|sku|part|model|' +
  'serial|version|build|receipt|transaction|parcel|item|product|article|job|batch|lot|commit|issue|bug|epoch|' +
  'timestamp|account|upc|ean|gtin|imei|vin|lottery|iteration|company number|sort code|' +
  '[a-z]{0,20}(?:bestell|auftrags?|rechnungs?|inventar|artikel|kunden|sendungs?|vorgangs?|order|factuur)(?:nummer|nr)|' +
  'bestellung|rechnung|auftrag|az|aktenzeichen|sendung|facture|commande|siren|siret|colis|pedido|factura|fattura|ordine|' +
  'encomenda|nota fiscal|bestelling|factuur|zam[oó]wieni[ea]|faktura|ordre|tilaus|objedn[aá]vka|sipari[sş]';
const IDENTIFIER_CUE = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}_])(?:${OTHER_NUMBER})(?![\p{L}\p{N}])[\s\p{L}\p{N}.:#°º№_-]{0,16}|` +
    String.raw`(?:注文|订单|訂單|追跡|伝票|发票|주문|송장|заказ|сч[её]т)[\s\p{L}:：#№]{0,8}|[$\u20ac\u00a3\u00a5]\s{0,3})$`,
  'iu',
);
const NUMBERED_CUE = /(?:\b(?:id|no|nr)[.:]?|#)\s{0,3}$/i;
const AMOUNT_AFTER = new RegExp(
  String.raw`^\s?(?:%|[$\u20ac\u00a3\u00a5]|(?:usd|eur|gbp|dollars?|euros?|pounds?|rupees?|rupiah|yen|bytes|kb|mb|ms|ns|km|kg|` +
    String.raw`seconds?|users|people|visitors|visits|views|times|items|records|rows|points|poeng|punkte?|tokens|requests|steps)\b)`,
  'i',
);
const PHONE_CUE = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])(?:phone|telephone|tel|mobile|cell|cellphone|whatsapp|fax|call(?:ing)?|text|sms|ring|dial|` +
    String.raw`reach(?:ed|able)? (?:me|us|him|her|them|you)|contact|telefon|telefono|tel[eé]fono|t[eé]l[eé]phone|handy|natel|portable|` +
    String.raw`mobil|mobilen|celular|m[oó]vil|telem[oó]vel|gsm|hp|puhelin|numero di telefono|ruf|appelle|ll[aá]mame|bel)` +
    String.raw`(?![\p{L}\p{N}])|电话|電話|手机|手機|전화|телефон`,
  'iu',
);

/** The text before a position that may label what follows. */
function contextBefore(text: string, position: number): string {
  return text.slice(Math.max(0, position - LOOK_BACK), position);
}

/** The text before and shortly after a span. */
export function contextAround(text: string, start: number, end: number): string {
  return `${contextBefore(text, start)} ${text.slice(end, end + LOOK_AHEAD)}`;
}

/** True when the text labels the number as an order, a price, a quantity or the like. */
export function isLabelledAsOtherNumber(text: string, start: number, end: number): boolean {
  return NUMBERED_CUE.test(contextBefore(text, start)) || isLabelledAsIdentifier(text, start, end);
}

/** The same for numbers with a checksum, which may well follow "id" or "no.". */
export function isLabelledAsIdentifier(text: string, start: number, end: number): boolean {
  return IDENTIFIER_CUE.test(contextBefore(text, start)) || AMOUNT_AFTER.test(text.slice(end, end + LOOK_AHEAD));
}

/** True when the text before the number mentions a telephone. */
export function isLabelledAsPhone(text: string, start: number): boolean {
  return PHONE_CUE.test(contextBefore(text, start));
}
