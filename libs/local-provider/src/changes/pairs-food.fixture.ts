/** What people eat, drink and cook. The form of a line is described in `pairs.fixture.ts`. */
export const FOOD_PAIRS = `
x value | My favorite fruit is mango. | My favourite fruit is papaya now.
x value | I'm vegetarian. | I'm vegan now.
x value | I prefer tea over coffee. | I prefer coffee over tea now.
x value | My favorite restaurant is Lola. | My favorite restaurant is Casa Nova these days.
x value | My usual order is a flat white. | My usual order is a cortado now.
x value | I love pizza. | I hate pizza now.
x value | I hate olives. | I love olives now.
x value | I eat lunch at noon. | I eat lunch at two now.
x value | My grocery budget is 300 euros. | My grocery budget is 250 euros now.
x ending | I like oysters. | I no longer like oysters.
x ending | I'm vegetarian. | I'm not vegetarian any more.
x ending | I eat meat. | I stopped eating meat.
x ending | I eat breakfast. | I don't eat breakfast anymore.
x ending | I love spicy food. | I can't stand spicy food anymore.
x ending | I drink two beers a week. | I gave up beer.
x ending | I bake bread on Sundays. | I no longer bake bread on Sundays.
x ending | I'm on a keto diet. | I quit the keto diet.
x ending | I order takeaway every Friday. | I stopped ordering takeaway.
x ending | I avoid gluten. | I don't avoid gluten anymore.
x ending | I can't eat dairy. | I can eat dairy again.
x ending | I'm fasting. | I'm not fasting any more.
x negation | I put sugar in my coffee. | I don't put sugar in my coffee any more.
x negation | I like anchovies. | I don't like anchovies.
x third | Ana is vegan. | Ana is no longer vegan.
x third | My son likes spinach. | My son hates spinach now.
x third | Ana's favorite dish is lasagna. | Ana's favorite dish is ramen.
x thing | The canteen is open until three. | The canteen is open until five now.
x half | I eat fish and chicken. | I stopped eating chicken. | fish
x half | I like beer and wine. | I don't like beer anymore. | wine
x correction | My favorite cake is carrot cake. | No wait, my favorite cake is lemon cake.
x correction | I'm lactose intolerant. | I was wrong, I'm not lactose intolerant.
= same | I love pizza. | I love pizza.
= reword | I'm vegetarian. | I'm still vegetarian.
= reword | I love pizza. | I really love pizza a lot.
~ subject | I love pizza. | My brother hates pizza.
~ subject | Ana is vegan. | Mia is no longer vegan.
~ subject | I eat meat. | My wife stopped eating meat.
~ subject | Ana's favorite dish is lasagna. | Rosa's favorite dish is ramen.
~ subject | My son likes spinach. | My daughter hates spinach.
~ subject | The canteen is open until three. | The bakery is open until five.
~ attribute | My favorite fruit is mango. | My favorite vegetable is leek.
~ attribute | I eat meat. | I stopped eating sweets.
~ attribute | I love spicy food. | I can't stand loud restaurants.
~ attribute | My usual order is a flat white. | My usual table is by the window.
~ attribute | I eat lunch at noon. | I eat dinner at eight.
~ attribute | I bake bread on Sundays. | I no longer sleep late on Sundays.
~ both | I love pizza. | I love pasta.
~ both | I love pizza. | I hate pizza with pineapple.
~ both | I like tea. | I don't like iced tea.
~ both | I'm vegetarian. | I'm not vegan.
~ both | I avoid gluten. | I avoid sugar.
~ both | My favorite restaurant is Lola. | My second favorite restaurant is Casa Nova.
~ condition | I eat meat. | I would stop eating meat if my doctor told me to.
~ condition | I'm vegetarian. | If I were on an island I wouldn't be vegetarian any more.
~ hypothesis | I drink two beers a week. | I should give up beer.
~ hypothesis | I eat breakfast. | I'm thinking about skipping breakfast.
~ hypothesis | I'm on a keto diet. | Perhaps I will quit the keto diet.
~ question | I love pizza. | Who hates pizza?
~ question | I'm vegetarian. | Can I stop being vegetarian?
~ quote | I love pizza. | The waiter said "I hate pizza".
~ quote | I eat meat. | Her poster says "I stopped eating meat".
~ joke | I eat meat. | I only eat moonlight now, just kidding.
~ joke | I love pizza. | I hate pizza, said no one ever, lol.
~ time | I love olives. | As a child I hated olives.
~ time | I'm vegan. | I used to be vegetarian.
~ time | My favorite restaurant is Lola. | Years ago my favorite restaurant was Casa Nova.
~ subject | My grocery budget is 300 euros. | My parents' grocery budget is 250 euros.
~ both | I eat fish. | I eat fish only on Fridays.
`;
