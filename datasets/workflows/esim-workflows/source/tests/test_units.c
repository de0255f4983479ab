/* Tests of single modules. Prints what failed; the exit code is the number of failures. */

#include <stdio.h>
#include <string.h>

#include "activation.h"
#include "identity.h"
#include "store.h"
#include "text.h"

static int failures;

#define CHECK(condition) check((condition), #condition, __LINE__)

static void check(bool condition, const char *text, int line)
{
    if (condition)
        return;
    failures++;
    printf("line %d: not so: %s\n", line, text);
}

static void test_identities(void)
{
    CHECK(eid_valid("89049032123451234512345678901235"));
    CHECK(!eid_valid("89049032123451234512345678901236"));
    CHECK(!eid_valid("8904903212345123451234567890123"));
    CHECK(!eid_valid(""));
    CHECK(iccid_valid("8944000000000000019"));
    CHECK(!iccid_valid("8944000000000000010"));
    CHECK(!iccid_valid("894400000000000001a"));
}

static void test_activation_codes(void)
{
    Error error;
    ActivationCode code;
    CHECK(activation_parse("LPA:1$smdp.example.com$AB-12$1.3.6$1", &code, &error) == ESIM_OK);
    CHECK(strcmp(code.smdp, "smdp.example.com") == 0);
    CHECK(strcmp(code.matching_id, "AB-12") == 0);
    CHECK(strcmp(code.oid, "1.3.6") == 0);
    CHECK(code.confirmation);
    CHECK(activation_parse("LPA:1$smdp.example.com$AB-12", &code, &error) == ESIM_OK);
    CHECK(!code.confirmation && !*code.oid);
    CHECK(activation_parse("LPA:2$smdp.example.com$AB-12", &code, &error) == ESIM_INVALID);
    CHECK(activation_parse("LPA:1$-smdp.example.com$AB-12", &code, &error) == ESIM_INVALID);
    CHECK(activation_parse("LPA:1$smdp.example.com$AB 12", &code, &error) == ESIM_INVALID);
}

static void test_store(void)
{
    Error error;
    Store store;
    size_t cursor = 0;
    Profile first = {.iccid = "8944000000000000019", .eid = "89049032123451234512345678901235"};
    Profile second = {.iccid = "8944000000000000027", .eid = "89049032123451234512345678901235"};
    store_init(&store);
    CHECK(store_add(&store, &first, &error) == ESIM_OK);
    CHECK(store_add(&store, &second, &error) == ESIM_OK);
    CHECK(store_add(&store, &first, &error) == ESIM_REFUSED);
    CHECK(store_count_on(&store, first.eid) == 2);
    CHECK(strcmp(store_next(&store, &cursor)->iccid, first.iccid) == 0);
    CHECK(store_enabled_on(&store, first.eid) == NULL);
    store_find(&store, second.iccid)->state = PROFILE_ENABLED;
    CHECK(store_enabled_on(&store, first.eid) == store_find(&store, second.iccid));
    CHECK(store_remove(&store, first.iccid));
    CHECK(!store_remove(&store, first.iccid));
    CHECK(store_count(&store) == 1);
    store_free(&store);
}

static void test_text(void)
{
    char line[] = "one,two,three";
    char escaped[] = "tab\\tbackslash\\\\";
    char wrong[] = "\\x";
    char *fields[2];
    unsigned long number;
    CHECK(text_split(line, ',', fields, 2) == 3);
    CHECK(strcmp(fields[1], "two") == 0);
    CHECK(text_unescape(escaped) && strcmp(escaped, "tab\tbackslash\\") == 0);
    CHECK(!text_unescape(wrong));
    CHECK(text_number("12", 1, 64, &number) && number == 12);
    CHECK(!text_number("65", 1, 64, &number));
    CHECK(!text_number("-1", 1, 64, &number));
}

int main(void)
{
    test_identities();
    test_activation_codes();
    test_store();
    test_text();
    printf("%d failures\n", failures);
    return failures != 0;
}
